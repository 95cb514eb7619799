import type { MatchConditions } from '../../api/library-editing.ts';
import { libraryStrings as texts } from '../../library-strings.ts';
import { strings } from '../../strings.ts';

const AND = new Intl.ListFormat('en', { type: 'conjunction' });
const OR = new Intl.ListFormat('en', { type: 'disjunction' });

type Entry = string | { readonly text: string } | { readonly name: string };

/** What people call an answer or an attribute. */
const nameOf = (entry: Entry): string =>
  strings.quoted(typeof entry === 'string' ? entry : 'text' in entry ? entry.text : entry.name);

/** Match conditions as sentences: an item applies if one of them is true. */
export const sentencesOf = (conditions: MatchConditions): string[] =>
  conditions.map((condition) => {
    const [required, excluded]: readonly (readonly Entry[])[] =
      'required' in condition
        ? [condition.required, condition.excluded]
        : [condition.required_attributes, condition.excluded_attributes];
    const all = AND.format((required ?? []).map(nameOf));
    const none = OR.format((excluded ?? []).map(nameOf));
    if (none === '') return all === '' ? texts.always : all;
    return all === '' ? texts.unless(none) : texts.butNot(all, none);
  });
