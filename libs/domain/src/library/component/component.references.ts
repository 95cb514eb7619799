import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from '../../kernel/actor.js';
import { type FieldErrors, missingMessages } from '../../kernel/domain-errors.js';
import { intersectionOf } from '../../kernel/fields/field-checks.js';
import { findIdentities } from '../../kernel/items/find-identities.js';
import type { ColumnValue } from '../../kernel/items/item-rows.js';
import { oneOf, tables } from '../../kernel/tables.js';
import { Countermeasure } from '../countermeasure/countermeasure.entity.js';
import type { ItemRow, ResolvedItem } from '../item-batch/item-form.js';
import { ComponentVersion } from './component.entity.js';
import { ComponentAnswer, ComponentIcon, ComponentQuestion } from './component-question.entity.js';
import { questionnaireErrors, overlapErrors } from './component.rules.js';
import type { ComponentInput } from './component.fields.js';
import type { QuestionnaireEntry } from './component-question.fields.js';

type Row = ItemRow<ComponentInput>;

const TASK_LISTS = ['tasks_implemented', 'tasks_introduced'] as const;

/** Internal ids of the countermeasures in a component's lists. */
type TaskLists = Readonly<Record<(typeof TASK_LISTS)[number], readonly number[]>>;

const NO_TASKS: TaskLists = { tasks_implemented: [], tasks_introduced: [] };

/** The icons (by slug) and questionnaire entries (by public id) that exist. */
interface ExistingReferences {
  readonly icons: ReadonlySet<string>;
  readonly questions: ReadonlyMap<string, number>;
  readonly answers: ReadonlyMap<string, number>;
  /** Public ids of questions by public ids of their answers. */
  readonly questionOf: ReadonlyMap<string, string>;
}

async function findIcons(em: EntityManager, slugs: readonly string[]): Promise<Set<string>> {
  if (!slugs.length) return new Set();
  const rows = await tables(em, ComponentIcon)
    .selectFrom('component_icon')
    .select('slug')
    .where('slug', '=', oneOf(slugs))
    .execute();
  return new Set(rows.map(({ slug }) => slug));
}

async function questionsOf(em: EntityManager, answers: Iterable<number>): Promise<Map<string, string>> {
  const ids = [...answers];
  if (!ids.length) return new Map();
  const rows = await tables(em, ComponentAnswer, ComponentQuestion)
    .selectFrom('component_answer as a')
    .innerJoin('component_question as q', 'q.id', 'a.question_id')
    .select(['a.item_id as answer', 'q.item_id as question'])
    .where('a.id', '=', oneOf(ids))
    .execute();
  return new Map(rows.map(({ answer, question }) => [answer, question]));
}

async function find(em: EntityManager, actor: Actor, rows: readonly Row[]): Promise<ExistingReferences> {
  const entries = rows.flatMap(({ input }) => input.component_questions ?? []);
  const answers = await findIdentities(
    em,
    actor,
    'component_answer',
    entries.flatMap(({ parent_answer: answer }) => answer ?? []),
  );
  return {
    icons: await findIcons(
      em,
      rows.flatMap(({ input }) => input.icon_slug ?? []),
    ),
    questions: await findIdentities(
      em,
      actor,
      'component_question',
      entries.map(({ question }) => question),
    ),
    answers,
    questionOf: await questionsOf(em, answers.values()),
  };
}

/** Errors of each entry of a questionnaire; undefined if there are none. */
function entryErrors(entries: readonly QuestionnaireEntry[], existing: ExistingReferences): FieldErrors[] | undefined {
  const structureErrors = questionnaireErrors(entries, (answer) => existing.questionOf.get(answer));
  const errors = entries.map(({ question, parent_answer: answer }, index): FieldErrors => ({
    ...structureErrors[index],
    ...(!existing.questions.has(question) && { question: missingMessages(question) }),
    ...(typeof answer === 'string' && !existing.answers.has(answer) && { parent_answer: missingMessages(answer) }),
  }));
  return errors.some((entry) => Object.keys(entry).length) ? errors : undefined;
}

/** The columns of a row, and its errors. */
function resolveRow(
  { input, references }: Row,
  existing: ExistingReferences,
): { columns: Record<string, ColumnValue>; errors: FieldErrors } {
  const { component_questions: entries, hidden, icon_slug: icon } = input;
  const columns: Record<string, ColumnValue> = { ...references.columns };
  const errors: FieldErrors = { ...references.errors };
  if (icon !== undefined && !existing.icons.has(icon)) errors.icon_slug = missingMessages(icon);
  const invalidEntries = entries && entryErrors(entries, existing);
  if (invalidEntries) errors.component_questions = invalidEntries;
  else if (entries) {
    columns.questions = entries.map(({ question }) => existing.questions.get(question) ?? 0);
    columns.parent_answers = entries.map(({ parent_answer: opener }) => existing.answers.get(opener ?? '') ?? 0);
  }
  if (input.description !== undefined) columns.text = input.description;
  if (hidden !== undefined) columns.active = !hidden;
  return { columns, errors };
}

/** The countermeasure lists of locked versions, by internal id. */
async function taskListsOf(em: EntityManager, versions: readonly number[]): Promise<ReadonlyMap<number, TaskLists>> {
  if (!versions.length) return new Map();
  const rows = await tables(em, ComponentVersion)
    .selectFrom('component_version')
    .select(['id', ...TASK_LISTS])
    .where('id', '=', oneOf(versions))
    .execute();
  return new Map(rows.map(({ id, ...lists }) => [id, lists]));
}

/** Public ids of countermeasures by internal id, in the given order. */
async function countermeasureIds(em: EntityManager, identities: readonly number[]): Promise<Map<number, string>> {
  if (!identities.length) return new Map();
  const rows = await tables(em, Countermeasure)
    .selectFrom('countermeasure')
    .select(['id', 'item_id'])
    .where('id', '=', oneOf(identities))
    .orderBy('organization_id', (order) => order.asc().nullsFirst())
    .orderBy('number')
    .execute();
  return new Map(rows.map(({ id, item_id: itemId }) => [id, itemId]));
}

/**
 * Finds icons and questionnaire entries by one query per kind, and checks that the two lists of countermeasures do not
 * overlap. If only one list is given, it is compared with the other one of the current version.
 */
export async function resolveComponents(
  em: EntityManager,
  actor: Actor,
  rows: readonly Row[],
): Promise<ResolvedItem[]> {
  const existing = await find(em, actor, rows);
  const resolved = rows.map((row) => resolveRow(row, existing));
  const compared = rows.flatMap(({ version }, index) => {
    const { columns, errors } = resolved[index] ?? {};
    const isSound = Object.keys(errors ?? {}).length === 0;
    return isSound && TASK_LISTS.some((list) => columns?.[list]) ? [{ index, version: version?.id }] : [];
  });
  const currentLists = await taskListsOf(
    em,
    compared.flatMap(({ version }) => version ?? []),
  );
  const overlaps = new Map(
    compared.map(({ index, version }) => {
      const lists = { ...NO_TASKS, ...currentLists.get(version ?? 0), ...resolved[index]?.columns } as TaskLists;
      return [index, intersectionOf(lists.tasks_implemented, lists.tasks_introduced)];
    }),
  );
  const ids = await countermeasureIds(em, [...new Set([...overlaps.values()].flat())]);
  return resolved.map(({ columns, errors }, index): ResolvedItem => {
    const both = new Set(overlaps.get(index));
    const { hidden, ...others } = rows[index]?.input ?? {};
    return {
      columns,
      errors: { ...errors, ...overlapErrors([...ids].flatMap(([identity, id]) => (both.has(identity) ? [id] : []))) },
      reported: { ...others, ...(hidden !== undefined && { active: !hidden }) },
    };
  });
}
