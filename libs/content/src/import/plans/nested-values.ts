import { converted } from '#domain/kernel/fields/conversions.js';
import { errorOfValue, type Fields } from '#domain/kernel/fields/field.js';
import { NOT_AN_OBJECT, repeatedId } from '#domain/kernel/fields/field-checks.js';
import { unstorableError } from '#domain/kernel/fields/free-fields.js';
import { integer, line, objectCheck } from '#domain/kernel/fields/fields.js';
import { answerFields, questionnaireEntryFields } from '#domain/library/component/component-question.fields.js';
import { questionnaireErrors } from '#domain/library/component/component.rules.js';
import { matchConditionFields } from '#domain/library/match-condition/match-condition.fields.js';
import {
  CONDITION_LISTS,
  CONDITION_MODES,
  contradictionErrors,
  LIST_NAMES,
  type ListName,
} from '#domain/library/match-condition/match-condition.rules.js';
import { contextFileFields } from '#domain/library/workflow-prompt/workflow-prompt.fields.js';
import { type CellValue, textOf } from '#files/cell-value.js';
import type { Normal, Referred } from './field-plan.js';

/** An object in a list of a file. */
export type Entry = Readonly<Record<string, CellValue>>;

const checkObject = objectCheck();

const isEntry = (value: CellValue): value is Entry => checkObject(value) === undefined;

/** The objects of a normalized list. */
export const entriesOf = (value: CellValue | undefined): readonly Entry[] =>
  Array.isArray(value) ? (value as readonly CellValue[]).filter(isEntry) : [];

/** Maximum number of errors of one field that are listed; further ones are only counted. */
const MAX_LISTED = 100;

/** Reports an error of an entry. */
type ReportError = (message: string) => void;

/**
 * Checks the entries of a list of objects as request bodies do: each by its fields, and ids for repetition. Returns the
 * valid fields of all entries, with an id or null; invalid ones are left out, so that each is reported only once.
 *
 * @param complete adds the values of fields that files may leave out
 * @param checkMore reports what else is wrong with an entry
 */
function checkEntries(
  value: CellValue,
  fields: Fields,
  complete: (given: Entry, index: number) => Entry = (given) => given,
  checkMore: (entry: Entry, report: ReportError) => void = () => undefined,
): Normal {
  const errors: string[] = [];
  const readable: Entry[] = [];
  const ids = new Set<CellValue>();
  let others = 0;
  for (const [index, given] of (value as readonly CellValue[]).entries()) {
    const report: ReportError = (message) => {
      if (errors.length < MAX_LISTED) errors.push(`Entry ${index + 1}: ${message}`);
      else others += 1;
    };
    if (!isEntry(given)) {
      report(NOT_AN_OBJECT);
      continue;
    }
    const { id = null, ...entry } = validFields(fields, complete(given, index), report);
    const isRepeated = id !== null && ids.has(id);
    if (isRepeated) report(`id: ${repeatedId(textOf(id))}`);
    ids.add(id);
    checkMore(entry, report);
    // Other fields are ignored, but stored with the row.
    const ignored = Object.entries(given).filter(([name]) => !Object.hasOwn(fields, name));
    const unstorable = unstorableError(Object.fromEntries(ignored));
    if (unstorable !== undefined) report(unstorable);
    readable.push('id' in fields ? { id: isRepeated ? null : id, ...entry } : entry);
  }
  if (others) errors.push(`And ${others} more ${others === 1 ? 'error' : 'errors'} in this field.`);
  return errors.length ? { errors, readable } : { value: readable };
}

/** The valid fields of an entry. Those that it lacks have their defaults, or are null. Reports the invalid ones. */
function validFields(fields: Fields, given: Entry, report: ReportError): Entry {
  const valid: Record<string, CellValue> = {};
  for (const [name, field] of Object.entries(fields)) {
    const { default: absent = field.nullable ? null : undefined } = field;
    const raw = given[name] === undefined ? absent : given[name];
    const value = converted(field, raw) as CellValue | undefined;
    const error = errorOfValue(field, value);
    if (error !== undefined) report(`${name}: ${error}`);
    else if (value !== undefined) valid[name] = value;
  }
  return valid;
}

/** The fields of a condition in a file. */
const conditionFields = {
  ...matchConditionFields,
  id: line({ optional: true, nullable: true }),
  db_id: integer({ optional: true, nullable: true }),
};

const isTexts = (value: CellValue | undefined): value is readonly string[] =>
  Array.isArray(value) && value.every((id) => typeof id === 'string');

/** The four lists of a condition. */
const listsOf = (list: (name: ListName) => CellValue): Entry =>
  Object.fromEntries(LIST_NAMES.map((name) => [name, list(name)]));

/**
 * Match conditions with all four lists. A list that is left out keeps the value of the item's condition with the same
 * id. `db_id` is used only to keep the number of a condition from another deployment.
 */
export function matchConditions(value: CellValue, present: CellValue | undefined): Normal {
  const currentConditions = new Map(entriesOf(present).map((condition) => [condition.id, condition]));
  const complete = (given: Entry): Entry => {
    const current = currentConditions.get(given.id ?? null);
    const lists = listsOf((name) => {
      const ids = given[name] === undefined ? (current?.[name] ?? []) : given[name];
      return isTexts(ids) ? [...new Set(ids)] : ids;
    });
    return { ...given, ...lists };
  };
  const checkLists = (condition: Entry, report: ReportError): void => {
    const lists = listsOf((name) => (isTexts(condition[name]) ? condition[name] : []));
    for (const mode of CONDITION_MODES) contradictionErrors(lists, mode).forEach(report);
  };
  return checkEntries(value, conditionFields, complete, checkLists);
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
  const normal = checkEntries(value, questionnaireEntryFields);
  return 'errors' in normal ? { errors: normal.errors } : normal;
}

export const questionnaireReferences = (value: CellValue): Referred[] =>
  entriesOf(value).flatMap(({ question, parent_answer: answer }) => [
    { target: 'component_question' as const, id: textOf(question) },
    ...(typeof answer === 'string' ? [{ target: 'component_answer' as const, id: answer }] : []),
  ]);

/** Errors in a questionnaire whose questions and answers all exist. */
export function questionnaireMessages(value: CellValue, questionOf: (answer: string) => string | undefined): string[] {
  const entries = entriesOf(value).map(({ question, parent_answer: answer }) => ({
    question: textOf(question),
    parent_answer: typeof answer === 'string' ? answer : null,
  }));
  return questionnaireErrors(entries, questionOf).flatMap((errors, index) =>
    Object.values(errors).flatMap((messages) => messages.map((message) => `Entry ${index + 1}: ${message}`)),
  );
}

/** The answers of a component question. An import deletes nothing, so all current answers must be included. */
export function componentAnswers(value: CellValue, present: CellValue | undefined): Normal {
  return rejectMissingEntries(checkEntries(value, answerFields), value, present);
}

export const componentAnswerReferences = (value: CellValue): Referred[] =>
  entriesOf(value).flatMap(({ attribute }) =>
    typeof attribute === 'string' ? [{ target: 'attribute' as const, id: attribute }] : [],
  );

/** The contexts of a workflow prompt. */
export function promptContexts(value: CellValue, present: CellValue | undefined): Normal {
  const complete = (given: Entry, index: number): Entry => ({ ordinal: index + 1, ...given });
  return rejectMissingEntries(checkEntries(value, contextFileFields, complete), value, present);
}

/**
 * Library items that contexts refer to. As in the API, only changed references are checked: an unchanged one stays
 * valid after its item was deleted.
 */
export const contextReferences = (value: CellValue, present: CellValue | undefined): Referred[] => {
  const before = new Map(entriesOf(present).map((context) => [context.id, context]));
  return entriesOf(value).flatMap(({ id, content_type: type, reference }) => {
    const same = before.get(id)?.reference === reference && before.get(id)?.content_type === type;
    return type !== 'library_item' || typeof reference !== 'string' || reference === '' || same
      ? []
      : [{ target: 'library_item' as const, id: reference }];
  });
};

/** Adds an error for each current entry that the list lacks. */
function rejectMissingEntries(normal: Normal, value: CellValue, present: CellValue | undefined): Normal {
  const ids = new Set(entriesOf(value).map(({ id }) => id));
  const missingEntries = entriesOf(present)
    .filter(({ id }) => !ids.has(id))
    .map(({ id }) => `Imports do not delete anything: ${JSON.stringify(id)} is missing from the list.`);
  if (!missingEntries.length) return normal;
  return 'errors' in normal
    ? { ...normal, errors: [...normal.errors, ...missingEntries] }
    : { errors: missingEntries, readable: normal.value };
}
