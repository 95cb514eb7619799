import type { CellValue } from '../formats/cell-value.js';
import type { Normal, Referred } from './field-plan.js';
import { textOf } from './text-of.js';

/** An object in a list, as files have it. */
export type Entry = Readonly<Record<string, CellValue>>;

const isEntry = (value: CellValue): value is Entry =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The objects of a list that has passed `normal`. */
export const entriesOf = (value: CellValue | undefined): readonly Entry[] =>
  Array.isArray(value) ? (value as readonly CellValue[]).filter(isEntry) : [];

/** Checks a list of objects, each by `entry`, which answers it in its one form or says what is wrong. */
function listOf(value: CellValue, entry: (given: Entry, place: number) => Entry | string): Normal {
  if (!Array.isArray(value)) return { problem: 'Must be a list.' };
  const normal: Entry[] = [];
  for (const [place, given] of (value as readonly CellValue[]).entries()) {
    const checked = isEntry(given) ? entry(given, place) : 'Expected an object.';
    if (typeof checked === 'string') return { problem: `Entry ${place + 1}: ${checked}` };
    normal.push(checked);
  }
  return { value: normal };
}

const LISTS = ['required', 'excluded', 'required_attributes', 'excluded_attributes'] as const;
type ListName = (typeof LISTS)[number];

const isTexts = (value: CellValue | undefined): value is readonly string[] =>
  Array.isArray(value) && value.every((id) => typeof id === 'string');

/** As long as the API lets such a list be. */
const LONGEST_LIST = 10_000;

/**
 * Match conditions with all four lists: those that are left out are as the item has them, in the condition of the same id.
 * `db_id` says only which number a condition of another installation has.
 */
export function matchConditions(value: CellValue, present: CellValue | undefined): Normal {
  const known = new Map(entriesOf(present).map((condition) => [condition.id, condition]));
  const seen = new Set<string>();
  return listOf(value, (given) => {
    const { id = null, db_id: dbId = null } = given;
    if (id !== null && (typeof id !== 'string' || id.length > 100)) return '"id" must be a text.';
    if (dbId !== null && !Number.isSafeInteger(dbId)) return '"db_id" must be a whole number.';
    if (id !== null && seen.has(id)) return `"${id}" is given twice.`;
    if (id !== null) seen.add(id);
    const lists = new Map<ListName, ReadonlySet<string>>();
    for (const name of LISTS) {
      const ids = given[name] ?? known.get(id)?.[name] ?? [];
      if (!isTexts(ids)) return `"${name}" must be a list of ids.`;
      if (ids.length > LONGEST_LIST) return `"${name}" has more than ${LONGEST_LIST} ids.`;
      lists.set(name, new Set(ids));
    }
    for (const [first, second] of [LISTS.slice(0, 2), LISTS.slice(2)] as [ListName, ListName][]) {
      const both = [...(lists.get(first) ?? [])].find((entry) => lists.get(second)?.has(entry));
      if (both !== undefined) return `"${both}" is both required and excluded.`;
    }
    return { id, db_id: dbId, ...Object.fromEntries([...lists].map(([name, ids]) => [name, [...ids]])) };
  });
}

export const conditionReferences = (value: CellValue): Referred[] =>
  entriesOf(value).flatMap((condition) =>
    LISTS.flatMap((name, place) =>
      (isTexts(condition[name]) ? condition[name] : []).map((id) => ({
        target: place < 2 ? ('survey_answer' as const) : ('attribute' as const),
        id,
      })),
    ),
  );

/** Conditions as they are compared: integer ids are not the user's. */
export const comparableConditions = (value: CellValue): CellValue =>
  entriesOf(value).map(({ db_id: _dbId, ...condition }) => condition);

/** The questionnaire of a component. */
export function questionnaire(value: CellValue): Normal {
  return listOf(value, ({ question, parent_answer: answer = null }) => {
    if (typeof question !== 'string') return '"question" must be an id.';
    if (answer !== null && typeof answer !== 'string') return '"parent_answer" must be an id or null.';
    return { question, parent_answer: answer };
  });
}

export const questionnaireReferences = (value: CellValue): Referred[] =>
  entriesOf(value).flatMap(({ question, parent_answer: answer }) => [
    { target: 'component_question' as const, id: textOf(question) },
    ...(typeof answer === 'string' ? [{ target: 'component_answer' as const, id: answer }] : []),
  ]);

const LONGEST_TEXT = 100_000;

const isText = (value: CellValue, longest = LONGEST_TEXT): value is string =>
  typeof value === 'string' && (value.length <= longest || Array.from(value).length <= longest);

/** The answers of a component's question. An import deletes nothing: none that is there may be missing. */
export function componentAnswers(value: CellValue, present: CellValue | undefined): Normal {
  const seen = new Set<CellValue>();
  const normal = listOf(value, ({ id = null, text, description = '', attribute = null }) => {
    if (id !== null && (typeof id !== 'string' || seen.has(id))) return '"id" must be an id, each once.';
    if (id !== null) seen.add(id);
    if (!isText(text ?? null) || textOf(text).trim() === '') return '"text" must be a text.';
    if (!isText(description)) return '"description" must be a text.';
    if (attribute !== null && typeof attribute !== 'string') return '"attribute" must be an id or null.';
    return { id, text: text ?? '', description, attribute };
  });
  return 'problem' in normal ? normal : withAll(normal.value, present);
}

export const componentAnswerReferences = (value: CellValue): Referred[] =>
  entriesOf(value).flatMap(({ attribute }) =>
    typeof attribute === 'string' ? [{ target: 'attribute' as const, id: attribute }] : [],
  );

/** The contexts of a workflow prompt. */
export const promptContexts =
  (types: readonly string[], ordinals: { readonly minimum: number; readonly maximum: number }) =>
  (value: CellValue, present: CellValue | undefined): Normal => {
    const seen = new Set<CellValue>();
    const normal = listOf(value, (given, place) => {
      const {
        id = null,
        name,
        content_type: type,
        reference = '',
        text = '',
        ordinal = place + 1,
        active = true,
      } = given;
      if (id !== null && (!Number.isInteger(id) || seen.has(id))) return '"id" must be a number, each once.';
      if (id !== null) seen.add(id);
      if (!isText(name ?? null, 500) || textOf(name).trim() === '')
        return '"name" must be a text of 1 to 500 characters.';
      if (!types.includes(textOf(type))) return `"content_type" must be one of ${types.join(', ')}.`;
      if (!isText(reference, 500)) return '"reference" must be a text of up to 500 characters.';
      if (!isText(text)) return '"text" must be a text.';
      if (!Number.isInteger(ordinal) || Number(ordinal) < ordinals.minimum || Number(ordinal) > ordinals.maximum)
        return `"ordinal" must be a whole number from ${ordinals.minimum} to ${ordinals.maximum}.`;
      if (typeof active !== 'boolean') return '"active" must be true or false.';
      return {
        id,
        name: textOf(name).trim(),
        content_type: textOf(type),
        reference: reference.trim(),
        text,
        ordinal,
        active,
      };
    });
    return 'problem' in normal ? normal : withAll(normal.value, present);
  };

/**
 * Items of the library that contexts refer to. One that refers to what it referred to before does so also after the item
 * was deleted: only what is new is looked for, as the API does.
 */
export const contextReferences = (value: CellValue, present: CellValue | undefined): Referred[] => {
  const before = new Map(entriesOf(present).map((context) => [context.id, context]));
  return entriesOf(value).flatMap(({ id, content_type: type, reference }) => {
    const same = before.get(id)?.reference === reference && before.get(id)?.content_type === type;
    return type !== 'library_item' || reference === '' || same
      ? []
      : [{ target: 'library_item' as const, id: textOf(reference) }];
  });
};

/** Refuses a list that lacks an entry that is there. */
function withAll(value: CellValue, present: CellValue | undefined): Normal {
  const ids = new Set(entriesOf(value).map(({ id }) => id));
  const missing = entriesOf(present).find(({ id }) => !ids.has(id));
  return missing
    ? { problem: `An import deletes nothing: ${JSON.stringify(missing.id)} is missing from the list.` }
    : { value };
}
