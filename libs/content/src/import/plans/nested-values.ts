import { LONGEST_LINE, LONGEST_LIST, LONGEST_TEXT } from '#domain/kernel/fields/text-limits.js';
import {
  CONDITION_LISTS,
  CONDITION_MODES,
  contradictionErrors,
  LIST_NAMES,
  type ListName,
} from '#domain/library/match-condition/match-condition.rules.js';
import type { CellValue } from '#files/cell-value.js';
import type { Normal, Referred } from './field-plan.js';
import { textOf } from '../formats/text-of.js';

/** An object in a list of a file. */
export type Entry = Readonly<Record<string, CellValue>>;

const isEntry = (value: CellValue): value is Entry =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The objects of a normalized list. */
export const entriesOf = (value: CellValue | undefined): readonly Entry[] =>
  Array.isArray(value) ? (value as readonly CellValue[]).filter(isEntry) : [];

/** Maximum number of errors of one field that are listed; further ones are only counted. */
const MAXIMUM_LISTED = 100;

/** Reports an error of an entry. */
type Refuse = (problem: string) => void;

/**
 * Normalizes a list of objects with `entry`. Invalid ids, numbers and references are removed from the result, so that
 * each is reported only once.
 */
function listOf(value: CellValue, entry: (entry: Entry, refuse: Refuse, index: number) => Entry): Normal {
  if (!Array.isArray(value)) return { problems: ['Must be a list.'] };
  const problems: string[] = [];
  const readable: Entry[] = [];
  let others = 0;
  for (const [index, entryValue] of (value as readonly CellValue[]).entries()) {
    const refuse: Refuse = (problem) => {
      if (problems.length < MAXIMUM_LISTED) problems.push(`Entry ${index + 1}: ${problem}`);
      else others += 1;
    };
    if (isEntry(entryValue)) readable.push(entry(entryValue, refuse, index));
    else refuse('Expected an object.');
  }
  if (others) problems.push(`And ${others} more ${others === 1 ? 'error' : 'errors'} in this field.`);
  return problems.length ? { problems, readable } : { value: readable };
}

const isTexts = (value: CellValue | undefined): value is readonly string[] =>
  Array.isArray(value) && value.every((id) => typeof id === 'string');

/** The ids in one list of a condition; none if it is not a list of ids. */
function idsOf(name: ListName, ids: CellValue, refuse: Refuse): readonly string[] {
  if (!isTexts(ids)) refuse(`"${name}" must be a list of ids.`);
  else if (ids.length > LONGEST_LIST) refuse(`"${name}" has more than ${LONGEST_LIST} ids.`);
  else return ids;
  return [];
}

/**
 * Match conditions with all four lists. A list that is left out keeps the value of the item's condition with the same
 * id. `db_id` is used only to keep the number of a condition from another deployment.
 */
export function matchConditions(value: CellValue, present: CellValue | undefined): Normal {
  const known = new Map(entriesOf(present).map((condition) => [condition.id, condition]));
  const seenIds = new Set<CellValue>();
  return listOf(value, (conditionEntry, refuse) => {
    const { id = null, db_id: dbId = null } = conditionEntry;
    const isText = id === null || (typeof id === 'string' && id.length <= 100);
    const isNew = id === null || !seenIds.has(id);
    if (!isText) refuse('"id" must be a text.');
    else if (!isNew) refuse(`"${id}" is given twice.`);
    seenIds.add(id);
    const isNumber = dbId === null || Number.isSafeInteger(dbId);
    if (!isNumber) refuse('"db_id" must be a whole number.');
    const idsIn = (name: ListName) => idsOf(name, conditionEntry[name] ?? known.get(id)?.[name] ?? [], refuse);
    const lists = Object.fromEntries(LIST_NAMES.map((name) => [name, [...new Set(idsIn(name))]]));
    for (const mode of CONDITION_MODES) contradictionErrors(lists, mode).forEach(refuse);
    return { id: isText && isNew ? id : null, db_id: isNumber ? dbId : null, ...lists };
  });
}

const NAMED_BY = { answers: 'survey_answer', attributes: 'attribute' } as const;

export const conditionReferences = (value: CellValue): Referred[] =>
  entriesOf(value).flatMap((condition) =>
    CONDITION_MODES.flatMap((mode) =>
      CONDITION_LISTS[mode].flatMap((name) =>
        (isTexts(condition[name]) ? condition[name] : []).map((id) => ({ target: NAMED_BY[mode], id })),
      ),
    ),
  );

/** Conditions in the form in which they are compared, without `db_id`. */
export const comparableConditions = (value: CellValue): CellValue =>
  entriesOf(value).map(({ db_id: _dbId, ...condition }) => condition);

/** The questionnaire of a component. Its entries depend on each other, so one error rejects it as a whole. */
export function questionnaire(value: CellValue): Normal {
  const normal = listOf(value, ({ question = null, parent_answer: answer = null }, refuse) => {
    if (typeof question !== 'string') refuse('"question" must be an id.');
    if (answer !== null && typeof answer !== 'string') refuse('"parent_answer" must be an id or null.');
    return { question, parent_answer: answer };
  });
  return 'problems' in normal ? { problems: normal.problems } : normal;
}

export const questionnaireReferences = (value: CellValue): Referred[] =>
  entriesOf(value).flatMap(({ question, parent_answer: answer }) => [
    { target: 'component_question' as const, id: textOf(question) },
    ...(typeof answer === 'string' ? [{ target: 'component_answer' as const, id: answer }] : []),
  ]);

const isText = (value: CellValue, longest = LONGEST_TEXT): value is string =>
  typeof value === 'string' && (value.length <= longest || Array.from(value).length <= longest);

/** The answers of a component question. An import deletes nothing, so all current answers must be included. */
export function componentAnswers(value: CellValue, present: CellValue | undefined): Normal {
  const seenIds = new Set<CellValue>();
  const normal = listOf(value, ({ id = null, text = null, description = '', attribute = null }, refuse) => {
    const isId = id === null || (typeof id === 'string' && !seenIds.has(id));
    if (!isId) refuse('"id" must be an id, each once.');
    seenIds.add(id);
    if (!isText(text) || text.trim() === '') refuse('"text" must be a text.');
    if (!isText(description)) refuse('"description" must be a text.');
    if (attribute !== null && typeof attribute !== 'string') refuse('"attribute" must be an id or null.');
    return { id: isId ? id : null, text, description, attribute };
  });
  return refuseMissingEntries(normal, value, present);
}

export const componentAnswerReferences = (value: CellValue): Referred[] =>
  entriesOf(value).flatMap(({ attribute }) =>
    typeof attribute === 'string' ? [{ target: 'attribute' as const, id: attribute }] : [],
  );

/** The contexts of a workflow prompt. */
export const promptContexts =
  (types: readonly string[], ordinals: { readonly minimum: number; readonly maximum: number }) =>
  (value: CellValue, present: CellValue | undefined): Normal => {
    const seenIds = new Set<CellValue>();
    const normal = listOf(value, (contextEntry, refuse, index) => {
      const {
        id = null,
        name = null,
        content_type: type = null,
        reference = '',
        text = '',
        ordinal = index + 1,
        active = true,
      } = contextEntry;
      const isId = id === null || (Number.isInteger(id) && !seenIds.has(id));
      if (!isId) refuse('"id" must be a number, each once.');
      seenIds.add(id);
      if (!isText(name, LONGEST_LINE) || name.trim() === '')
        refuse(`"name" must be a text of 1 to ${LONGEST_LINE} characters.`);
      if (!types.includes(textOf(type))) refuse(`"content_type" must be one of ${types.join(', ')}.`);
      if (!isText(reference, LONGEST_LINE)) refuse(`"reference" must be a text of up to ${LONGEST_LINE} characters.`);
      if (!isText(text)) refuse('"text" must be a text.');
      if (!Number.isInteger(ordinal) || Number(ordinal) < ordinals.minimum || Number(ordinal) > ordinals.maximum)
        refuse(`"ordinal" must be a whole number from ${ordinals.minimum} to ${ordinals.maximum}.`);
      if (typeof active !== 'boolean') refuse('"active" must be true or false.');
      return {
        id: isId ? id : null,
        name: textOf(name).trim(),
        content_type: textOf(type),
        reference: isText(reference, LONGEST_LINE) ? reference.trim() : '',
        text,
        ordinal,
        active,
      };
    });
    return refuseMissingEntries(normal, value, present);
  };

/**
 * Library items that contexts refer to. As in the API, only changed references are checked: an unchanged one stays
 * valid after its item was deleted.
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

/** Adds an error for each current entry that the list lacks. */
function refuseMissingEntries(normal: Normal, value: CellValue, present: CellValue | undefined): Normal {
  const ids = new Set(entriesOf(value).map(({ id }) => id));
  const missingEntries = entriesOf(present)
    .filter(({ id }) => !ids.has(id))
    .map(({ id }) => `An import deletes nothing: ${JSON.stringify(id)} is missing from the list.`);
  if (!missingEntries.length || !Array.isArray(value)) return normal;
  return 'problems' in normal
    ? { ...normal, problems: [...normal.problems, ...missingEntries] }
    : { problems: missingEntries, readable: normal.value };
}
