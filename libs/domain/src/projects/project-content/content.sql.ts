import { sql } from 'kysely';
import type { QueryContext, Sql } from '#query/query-context.js';
import { ATTRIBUTE_MODE, isIncomplete } from '../../library/match-condition/match-condition.projection.js';
import {
  type CustomizableKind,
  visibleVersions,
  type ConditionedKind,
} from '../../library/customization/customization.sql.js';

/** The organization whose library applies, and what its conditions match. */
export interface MatchingMode {
  readonly organizationId: number;
  /** Whether conditions match attributes instead of answers. */
  readonly byAttributes: boolean;
}

/** Projects of one organization whose content is calculated together. */
export interface ProjectSet extends MatchingMode {
  /** Internal ids. */
  readonly projects: readonly number[];
}

/** The organization whose library a statement reads, and its feature flags. Every query context is one. */
export type LibraryScope = Pick<QueryContext, 'organization' | 'flags'>;

/** The matching mode of a query: attributes if the organization's flag for them is on. */
export const matchingModeOf = ({ organization, flags }: LibraryScope): MatchingMode => ({
  organizationId: organization,
  byAttributes: flags.has(ATTRIBUTE_MODE),
});

/** A set of projects, to compare an internal id with. */
export const anyProjectOf = ({ projects }: Pick<ProjectSet, 'projects'>): Sql => sql`ANY(${projects}::bigint[])`;

/**
 * Active selected answers in the saved surveys of the projects whose id equals `projects`: `project_id` and the columns
 * of the answers.
 */
export const savedAnswers = (projects: Sql): Sql =>
  sql`(SELECT saved.project_id, a.* FROM project_answer saved JOIN survey_answer a ON a.id = saved.answer_id
    WHERE saved.project_id = ${projects} AND saved.state <> 'rejected' AND a.is_active)`;

/** Active attributes of projects, one row per source: `project_id`, `id`. */
export const activeAttributes = (projects: Sql, organizationId: number): Sql =>
  sql`(SELECT source.project_id, a.id FROM project_attribute_source source
    JOIN attribute a ON a.id = source.attribute_id
    LEFT JOIN attribute_switch own ON own.attribute_id = a.id AND own.organization_id = ${organizationId}
    WHERE source.project_id = ${projects} AND coalesce(own.active, a.active))`;

/** The facts that conditions match: the answers or the attributes of the projects whose id equals `projects`. */
export const factsOf = (projects: Sql, { organizationId, byAttributes }: MatchingMode): Sql =>
  byAttributes ? activeAttributes(projects, organizationId) : savedAnswers(projects);

/** The facts of a project as a JSON object whose keys are internal ids. */
const factsAsJson = sql`coalesce(jsonb_object_agg(f.id, true) FILTER (WHERE f.id IS NOT NULL), '{}')`;

/** The facts of one project, as a subquery. */
export const factsJsonOf = (project: Sql, mode: MatchingMode): Sql =>
  sql`(SELECT ${factsAsJson} FROM ${factsOf(project, mode)} f)`;

/** The lists of a condition `m` that apply in this mode. */
export const listsOf = ({ byAttributes }: Pick<MatchingMode, 'byAttributes'>) => ({
  required: sql.ref(byAttributes ? 'm.required_attributes' : 'm.required'),
  excluded: sql.ref(byAttributes ? 'm.excluded_attributes' : 'm.excluded'),
});

/** Whether facts meet a condition whose lists contain texts. */
export const conditionMatches = (facts: Sql, { required, excluded }: { required: Sql; excluded: Sql }): Sql =>
  sql`(${facts} ?& ${required} AND NOT ${facts} ?| ${excluded})`;

/**
 * Common table expressions that end in `matched`, which lists the active items of a kind whose conditions a project
 * meets (`project_id`, `id`), and `item` with these columns of their versions. The facts of a project are one JSON
 * object, whose keys PostgreSQL finds by binary search: with thousands of conditions, this is many times faster than
 * arrays.
 *
 * @param isIncluded restricts the items by the versions `v` that apply
 */
export const matching = (
  kind: ConditionedKind & CustomizableKind,
  scope: ProjectSet,
  columns: readonly string[] = [],
  isIncluded: Sql = sql`true`,
): Sql => {
  const owner = sql.ref(`m.${kind}_version_id`);
  const { required, excluded } = listsOf(scope);
  const textLists = { required: sql`condition.required`, excluded: sql`condition.excluded` };
  // With many projects, convert the lists to texts once; with one project, only as far as needed.
  const materialization = scope.projects.length > 1 ? sql`MATERIALIZED` : sql`NOT MATERIALIZED`;
  return sql`
    project_facts AS MATERIALIZED (
      SELECT p.id AS project_id, ${factsAsJson} AS facts
      FROM unnest(${scope.projects}::bigint[]) p(id)
      LEFT JOIN ${factsOf(anyProjectOf(scope), scope)} f ON f.project_id = p.id
      GROUP BY p.id),
    item AS MATERIALIZED (
      SELECT ${sql.join(['id', ...columns].map((column) => sql.ref(`v.${column}`)))},
        ${sql.ref(`v.${kind}_id`)} AS item FROM ${visibleVersions(kind, scope.organizationId)} v
        WHERE v.active AND ${isIncluded}),
    condition AS ${materialization} (
      SELECT item.item, ${required}::text[] AS required, ${excluded}::text[] AS excluded
      FROM match_condition m JOIN item ON item.id = ${owner} WHERE NOT ${isIncomplete(scope.byAttributes)}),
    matched AS MATERIALIZED (
      SELECT project_facts.project_id, item.item AS id FROM project_facts CROSS JOIN item
      WHERE NOT EXISTS (SELECT 1 FROM match_condition m WHERE ${owner} = item.id)
      UNION
      SELECT project_facts.project_id, condition.item FROM project_facts
      JOIN condition ON ${conditionMatches(sql`project_facts.facts`, textLists)})`;
};

/** Active countermeasures that components introduce: `project_id`, `id`, `weakness_id`. */
export const introducedCountermeasures = (scope: ProjectSet): Sql =>
  sql`(SELECT DISTINCT pc.project_id, v.countermeasure_id AS id, v.weakness_id
    FROM project_component pc CROSS JOIN unnest(pc.tasks_introduced) listed(id)
    JOIN ${visibleVersions('countermeasure', scope.organizationId)} v ON v.countermeasure_id = listed.id AND v.active
    WHERE pc.project_id = ${anyProjectOf(scope)})`;

/**
 * Common table expressions that end in `expected`: the countermeasures of the project's level whose conditions it
 * meets, or that its components introduce, if it has their weakness (`project_id`, `id`).
 *
 * @param isIncluded restricts the countermeasures by the versions `v` that apply
 */
export const expectedCountermeasures = (scope: ProjectSet, isIncluded?: Sql): Sql => sql`
  ${matching('countermeasure', scope, ['weakness_id', 'level'], isIncluded)},
  expected AS MATERIALIZED (
    SELECT candidate.project_id, candidate.id FROM (
      SELECT matched.project_id, matched.id, item.weakness_id FROM matched JOIN item ON item.item = matched.id
      JOIN project p ON p.id = matched.project_id AND p.level >= item.level
      UNION SELECT introduced.project_id, introduced.id, introduced.weakness_id
        FROM ${introducedCountermeasures(scope)} introduced) candidate
    JOIN project_weakness pw ON pw.project_id = candidate.project_id AND pw.weakness_id = candidate.weakness_id)`;
