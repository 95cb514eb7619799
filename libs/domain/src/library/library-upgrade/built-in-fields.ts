import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import type { CustomizableKind } from '../customization/customization.sql.js';
import { FRAMEWORK_FIELDS } from '../threat/threat.rules.js';

/** A field of versions as releases compare and refresh it, by the name that `changed_fields` has for it. */
export interface BuiltInField {
  /** The columns that hold it; none where it is in match conditions. */
  readonly columns: readonly string[];
  /** Its value for people, as JSON; the row is called `v`. Public ids stand for items. */
  readonly shown: Sql;
  /** Fields that go together, this one among them: where one was changed all count as changed, and one takes all. */
  readonly together?: readonly string[];
}

const json = (value: Sql): Sql => sql`coalesce(to_jsonb(${value}), 'null')`;

const column = (name: string): BuiltInField => ({ columns: [name], shown: json(sql.ref(`v.${name}`)) });

/** The public id of what a column points at. */
const one = (name: string, table: string): BuiltInField => ({
  columns: [name],
  shown: json(sql`(SELECT r.item_id FROM ${sql.table(table)} r WHERE r.id = ${sql.ref(`v.${name}`)})`),
});

/** The public ids of what an array names, in its order. */
const idsOf = (list: Sql, table: string): Sql =>
  sql`(SELECT coalesce(jsonb_agg(r.item_id ORDER BY n.place), '[]')
    FROM unnest(${list}) WITH ORDINALITY n(id, place) JOIN ${sql.table(table)} r ON r.id = n.id)`;

const many = (name: string, table: string): BuiltInField => ({
  columns: [name],
  shown: idsOf(sql.ref(`v.${name}`), table),
});

const conditions = (kind: CustomizableKind): BuiltInField => ({
  columns: [],
  shown: sql`(SELECT coalesce(jsonb_agg(jsonb_build_object(
      'id', m.item_id,
      'required', ${idsOf(sql`m.required`, 'survey_answer')},
      'excluded', ${idsOf(sql`m.excluded`, 'survey_answer')},
      'required_attributes', ${idsOf(sql`m.required_attributes`, 'attribute')},
      'excluded_attributes', ${idsOf(sql`m.excluded_attributes`, 'attribute')}) ORDER BY m.position), '[]')
    FROM match_condition m WHERE ${sql.ref(`m.${kind}_version_id`)} = v.id)`,
});

const columns = (...names: readonly string[]): Record<string, BuiltInField> =>
  Object.fromEntries(names.map((name) => [name, column(name)]));

/** A countermeasure may be in one of them only: each by itself could not be refreshed. */
const TASK_LISTS = ['tasks_implemented', 'tasks_introduced'];

const taskList = (name: string): BuiltInField => ({
  ...many(name, 'countermeasure'),
  columns: TASK_LISTS,
  together: TASK_LISTS,
});

/** What a version rests on. */
const provenance = columns('references', 'reviewed_at');

/** Everything that a release can change in built-in content. */
export const BUILT_IN_FIELDS: Readonly<Record<CustomizableKind, Readonly<Record<string, BuiltInField>>>> = {
  weakness: {
    ...columns('title', 'text', 'active', 'risk_rating', 'category'),
    ...provenance,
    cwe: column('cwes'),
    match_conditions: conditions('weakness'),
  },
  countermeasure: {
    ...columns('title', 'text', 'active', 'priority', 'tags', 'categories', 'verification_coverage'),
    ...provenance,
    problem: one('weakness_id', 'weakness'),
    phase: one('phase_id', 'phase'),
    match_conditions: conditions('countermeasure'),
  },
  additional_requirement: {
    ...columns('title', 'text', 'active', 'ordinal'),
    ...provenance,
    match_conditions: conditions('additional_requirement'),
  },
  how_to: {
    ...columns('title', 'text', 'active', 'slug', 'versions'),
    ...provenance,
    match_conditions: conditions('how_to'),
  },
  threat: {
    ...columns('title', 'text', 'active', 'severity', 'capecs', ...FRAMEWORK_FIELDS),
    ...provenance,
    problems: many('problems', 'weakness'),
    match_conditions: conditions('threat'),
  },
  component: {
    ...columns('title', 'category', 'icon_slug'),
    description: column('text'),
    hidden: { columns: ['active'], shown: sql`to_jsonb(NOT v.active)` },
    answer_mapping: one('answer_id', 'survey_answer'),
    tasks_implemented: taskList('tasks_implemented'),
    tasks_introduced: taskList('tasks_introduced'),
    implied_attributes: many('implied_attributes', 'attribute'),
    component_questions: {
      columns: ['questions', 'parent_answers'],
      shown: sql`(SELECT coalesce(jsonb_agg(jsonb_build_object('question', q.item_id, 'parent_answer', a.item_id)
        ORDER BY n.place), '[]')
        FROM unnest(v.questions, v.parent_answers) WITH ORDINALITY n(question, answer, place)
        JOIN component_question q ON q.id = n.question LEFT JOIN component_answer a ON a.id = n.answer)`,
    },
  },
};

/** A field of a kind; throws for one that there is not. */
export function builtInField(
  kind: CustomizableKind,
  name: string,
): BuiltInField & { readonly together: readonly string[] } {
  const field = BUILT_IN_FIELDS[kind][name];
  if (!field) throw new Error(`There is no field ${name} of a ${kind}.`);
  return { together: [name], ...field };
}

/** Assignments that give a version the columns of `v`. */
export const taken = ({ columns: names }: BuiltInField): Sql[] =>
  names.map((name) => sql`${sql.ref(name)} = ${sql.ref(`v.${name}`)}`);
