import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import type { CustomizableKind } from '../customization/customization.sql.js';
import { FRAMEWORK_FIELDS } from '../threat/threat.rules.js';

/** A field of versions that releases compare and update, keyed by its name in `changed_fields`. */
export interface BuiltInField {
  /** Its columns; none for match conditions, which are rows. */
  readonly columns: readonly string[];
  /** Its value in the API, as JSON with public ids; the row is called `v`. */
  readonly shown: Sql;
  /**
   * Fields that are upgraded together, including this one: if one was changed, all count as changed, and a decision
   * applies to all.
   */
  readonly linkedFields?: readonly string[];
}

const json = (value: Sql): Sql => sql`coalesce(to_jsonb(${value}), 'null')`;

const column = (name: string): BuiltInField => ({ columns: [name], shown: json(sql.ref(`v.${name}`)) });

/** A field that references a row; its value is the public id. */
const referenceField = (name: string, table: string): BuiltInField => ({
  columns: [name],
  shown: json(sql`(SELECT r.item_id FROM ${sql.table(table)} r WHERE r.id = ${sql.ref(`v.${name}`)})`),
});

/** The public ids for an array of internal ids, in order. */
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

/** A countermeasure may only be in one of these lists, so they have to be updated together. */
const TASK_LISTS = ['tasks_implemented', 'tasks_introduced'];

const taskList = (name: string): BuiltInField => ({
  ...many(name, 'countermeasure'),
  columns: TASK_LISTS,
  linkedFields: TASK_LISTS,
});

/** The references that a version is based on. */
const provenance = columns('references', 'reviewed_at');

/** All fields of built-in content that a release can change. */
export const BUILT_IN_FIELDS: Readonly<Record<CustomizableKind, Readonly<Record<string, BuiltInField>>>> = {
  weakness: {
    ...columns('title', 'text', 'active', 'risk_rating', 'category'),
    ...provenance,
    cwe: column('cwes'),
    match_conditions: conditions('weakness'),
  },
  countermeasure: {
    ...columns('title', 'text', 'active', 'priority', 'level', 'tags', 'categories', 'verification_coverage'),
    ...provenance,
    problem: referenceField('weakness_id', 'weakness'),
    phase: referenceField('phase_id', 'phase'),
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
    answer_mapping: referenceField('answer_id', 'survey_answer'),
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

/** Finds a field of a kind. Throws if it does not exist. */
export function builtInField(
  kind: CustomizableKind,
  name: string,
): BuiltInField & { readonly linkedFields: readonly string[] } {
  const field = BUILT_IN_FIELDS[kind][name];
  if (!field) throw new Error(`There is no field ${name} of a ${kind}.`);
  return { linkedFields: [name], ...field };
}

/** Assignments that copy a field's columns from `v`. */
export const assignmentsOf = ({ columns: names }: BuiltInField): Sql[] =>
  names.map((name) => sql`${sql.ref(name)} = ${sql.ref(`v.${name}`)}`);
