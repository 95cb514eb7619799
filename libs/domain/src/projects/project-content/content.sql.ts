import { sql } from 'kysely';
import type { QueryContext, Sql } from '#query/query-context.js';
import { ATTRIBUTE_MODE, isIncomplete } from '../../library/match-condition/match-condition.projection.js';
import {
  type CustomizableKind,
  visibleVersions,
  type ConditionedKind,
} from '../../library/customization/customization.sql.js';

/** Whose library decides, and by what. */
export interface Mode {
  readonly organizationId: number;
  /** Whether conditions are about attributes. */
  readonly byAttributes: boolean;
}

/** Projects of one organization whose content is worked out together. */
export interface ProjectSet extends Mode {
  /** Internal ids. */
  readonly projects: readonly number[];
}

/** The mode of a reading: its organization's library, by attributes where the viewer's flag for them is on. */
export const modeOf = ({ organization, flags }: QueryContext): Mode => ({
  organizationId: organization,
  byAttributes: flags.has(ATTRIBUTE_MODE),
});

/** The projects of a scope, as a list of internal ids. */
export const projectsOf = ({ projects }: Pick<ProjectSet, 'projects'>): Sql => sql`ANY(${projects}::bigint[])`;

/** Saved answers that count, of the projects whose id equals this: `project_id`, and the answer's columns. */
export const savedAnswers = (projects: Sql): Sql =>
  sql`(SELECT saved.project_id, a.* FROM project_answer saved JOIN survey_answer a ON a.id = saved.answer_id
    WHERE saved.project_id = ${projects} AND a.is_active)`;

/** Attributes of projects that count, once for each source: `project_id`, `id`. */
const activeAttributes = (projects: Sql, organizationId: number): Sql =>
  sql`(SELECT source.project_id, a.id FROM project_attribute_source source
    JOIN attribute a ON a.id = source.attribute_id
    LEFT JOIN attribute_switch own ON own.attribute_id = a.id AND own.organization_id = ${organizationId}
    WHERE source.project_id = ${projects} AND coalesce(own.active, a.active))`;

/** What conditions look at: the answers of the projects whose id equals this, or their attributes. */
export const factsOf = (projects: Sql, { organizationId, byAttributes }: Mode): Sql =>
  byAttributes ? activeAttributes(projects, organizationId) : savedAnswers(projects);

/** What is known of a project, as one JSON object with the internal ids as keys. */
const asKnown = sql`coalesce(jsonb_object_agg(f.id, true) FILTER (WHERE f.id IS NOT NULL), '{}')`;

/** The same of one project, as a subquery. */
export const knownOf = (project: Sql, mode: Mode): Sql => sql`(SELECT ${asKnown} FROM ${factsOf(project, mode)} f)`;

/** The lists of a condition `m` in the mode of the organization. */
export const listsOf = ({ byAttributes }: Pick<Mode, 'byAttributes'>) => ({
  required: sql.ref(byAttributes ? 'm.required_attributes' : 'm.required'),
  excluded: sql.ref(byAttributes ? 'm.excluded_attributes' : 'm.excluded'),
});

/** Whether a condition, whose lists are texts, holds by what is known. */
export const holdsBy = (known: Sql, { required, excluded }: { required: Sql; excluded: Sql }): Sql =>
  sql`(${known} ?& ${required} AND NOT ${known} ?| ${excluded})`;

/**
 * Common table expressions that end in `matched`: which active items of a kind the conditions let into which projects
 * (`project_id`, `id`), and `item` with these columns of their versions. What is known of a project is one JSON object,
 * whose keys PostgreSQL finds by binary search: for thousands of conditions that is many times cheaper than arrays or
 * joins.
 */
export const matching = (
  kind: ConditionedKind & CustomizableKind,
  scope: ProjectSet,
  columns: readonly string[] = [],
): Sql => {
  const owner = sql.ref(`m.${kind}_version_id`);
  const { required, excluded } = listsOf(scope);
  const asTexts = { required: sql`condition.required`, excluded: sql`condition.excluded` };
  // Lists become texts once for many projects; for one project, only as far as its decision needs them.
  const once = scope.projects.length > 1 ? sql`MATERIALIZED` : sql`NOT MATERIALIZED`;
  return sql`
    known AS MATERIALIZED (
      SELECT p.id AS project_id, ${asKnown} AS facts
      FROM unnest(${scope.projects}::bigint[]) p(id)
      LEFT JOIN ${factsOf(projectsOf(scope), scope)} f ON f.project_id = p.id
      GROUP BY p.id),
    item AS MATERIALIZED (
      SELECT ${sql.join(['id', ...columns].map((column) => sql.ref(`v.${column}`)))},
        ${sql.ref(`v.${kind}_id`)} AS item FROM ${visibleVersions(kind, scope.organizationId)} v WHERE v.active),
    condition AS ${once} (
      SELECT item.item, ${required}::text[] AS required, ${excluded}::text[] AS excluded
      FROM match_condition m JOIN item ON item.id = ${owner} WHERE NOT ${isIncomplete(scope.byAttributes)}),
    matched AS MATERIALIZED (
      SELECT known.project_id, item.item AS id FROM known CROSS JOIN item
      WHERE NOT EXISTS (SELECT 1 FROM match_condition m WHERE ${owner} = item.id)
      UNION
      SELECT known.project_id, condition.item FROM known
      JOIN condition ON ${holdsBy(sql`known.facts`, asTexts)})`;
};

/** Active countermeasures that components introduce: `project_id`, `id`, `weakness_id`. */
export const introducedBy = (scope: ProjectSet): Sql =>
  sql`(SELECT DISTINCT held.project_id, v.countermeasure_id AS id, v.weakness_id
    FROM project_component held CROSS JOIN unnest(held.tasks_introduced) named(id)
    JOIN ${visibleVersions('countermeasure', scope.organizationId)} v ON v.countermeasure_id = named.id AND v.active
    WHERE held.project_id = ${projectsOf(scope)})`;
