import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { jsonObject } from '#query/expressions.js';
import type { Filter } from '#query/filter-parameters.js';
import * as filters from '#query/filters.js';
import type { QueryContext, Sql } from '#query/query-context.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { parseWholeNumber } from '#query/values.js';
import type { Actor } from '../../kernel/actor.js';
import { hasScope } from '../../kernel/token-scopes.js';
import { scopeOfActor, type ProjectScope, visibleProjectId } from '../project-access/project-visibility.js';
import {
  inRegulation,
  mappedCountermeasures,
  regulationSectionProjection,
} from '../../library/regulation/regulation-section.projection.js';

const { id, code, title, ordinal, level, countermeasures } = regulationSectionProjection.fields;
const { active: _activeFilter, ...sectionFilters } = regulationSectionProjection.filters;

/** The sections that count: those of the regulation that its edition still has. */
const countedSections = (regulation: string, context: Pick<QueryContext, 'organization'>): Sql =>
  sql`${inRegulation(regulation, context)} AND item.active`;

/** Whether a full mapping satisfies the section, or partial ones that were declared complete. */
const isCovered = (context: Pick<QueryContext, 'organization'>): Sql =>
  sql`EXISTS (SELECT 1 FROM ${mappedCountermeasures(context)}
    AND (n.strength = 'full' OR (item.partial_mappings_complete AND n.strength = 'partial')))`;

const COVERED = 'Whether a full mapping, or a complete set of partial ones, satisfies it.';

/** The id in the `project` filter, as a valid integer for the database; undefined without the filter. */
const projectOf = (filtered: QueryContext['filterValues']): string | undefined =>
  filtered.get('project')?.map(parseWholeNumber)[0];

/** The project, if the caller can see it. The coverage itself needs only `library:read`. */
const seenProjectId = (project: string, context: ProjectScope): Sql =>
  hasScope(context, 'projects:read') ? visibleProjectId(project, context) : sql`NULL::bigint`;

/** The number of a section's countermeasures that a project has accepted, and how many of those are complete. */
const progress = (project: string, context: ProjectScope): Sql =>
  sql`(SELECT count(*) AS countermeasures, count(*) FILTER (WHERE s.meaning = 'DONE') AS complete
    FROM project_countermeasure t JOIN task_status s ON s.id = t.status_id
    WHERE t.project_id = ${seenProjectId(project, context)} AND t.accepted
      AND t.countermeasure_id IN (SELECT c.id FROM ${mappedCountermeasures(context)}))`;

const progressField = (context: QueryContext): Sql => {
  const project = projectOf(context.filterValues);
  if (project === undefined) return sql`NULL::json`;
  return sql`(SELECT ${jsonObject({ countermeasures: sql`p.countermeasures`, complete: sql`p.complete` })}
    FROM ${progress(project, context)} p)`;
};

/** This filter adds the progress of a project. If the caller cannot see the project, the list is empty. */
const projectFilter: Filter = {
  '': {
    schema: schema.integer(),
    description: 'Adds the progress of this project. If it does not exist, the list is empty.',
    read: ([text = '']) => {
      const project = parseWholeNumber(text);
      return (context) => sql`${seenProjectId(project, context)} IS NOT NULL`;
    },
  },
};

/** The active sections of a regulation, and whether countermeasures cover them. */
export const regulationCoverageProjection = projection({
  ...regulationSectionProjection,
  name: 'RegulationCoverage',
  source: (context) => [{ table: sql.table('regulation_section'), where: countedSections(context.within, context) }],
  fields: {
    id,
    code,
    title,
    ordinal,
    level,
    countermeasures,
    covered: { sql: isCovered, schema: schema.boolean({ description: COVERED }) },
    project: {
      sql: progressField,
      schema: schema.nullable(
        schema.object(
          {
            countermeasures: schema.integer({ description: 'How many of them the project has accepted.' }),
            complete: schema.integer({ description: 'How many of those are done.' }),
          },
          { description: 'The progress of the project in `project`; null without it.' },
        ),
      ),
    },
  },
  filters: {
    ...sectionFilters,
    covered: filters.boolean(isCovered, COVERED),
    project: projectFilter,
  },
  orderings: { ...regulationSectionProjection.orderings, covered: [isCovered] },
});

interface CoverageCounts {
  readonly sections: number;
  readonly covered: number;
  /** Sections with accepted countermeasures in the project, all of them complete; null without a project. */
  readonly complete: number | null;
}

export interface CoverageSummary extends CoverageCounts {
  /** The same counts for each level; empty for a regulation without levels. */
  readonly levels: readonly ({ readonly level: number } & CoverageCounts)[];
}

const counts = {
  sections: schema.integer({ description: 'How many active sections the regulation has.' }),
  covered: schema.integer({ description: 'How many of them are covered.' }),
  complete: schema.nullable(
    schema.integer({
      description:
        'The number of sections whose countermeasures in the project are all complete; null without `project`.',
    }),
  ),
};

export const COVERAGE_SUMMARY = schema.object(
  {
    ...counts,
    levels: schema.list(schema.object({ level: schema.integer({ example: 1 }), ...counts }), {
      description:
        'The same counts for each level. Each section counts for the lowest level that requires it, so level 2 of ' +
        'OWASP ASVS demands the sections of levels 1 and 2.',
    }),
  },
  { description: 'The whole regulation, regardless of filters.' },
);

/** Summarizes all active sections of a regulation, regardless of filters and paging. */
export async function summarizeCoverage(
  em: EntityManager,
  actor: Actor,
  regulation: string,
  filtered: QueryContext['filterValues'],
): Promise<CoverageSummary> {
  const scope = scopeOfActor(actor);
  const project = projectOf(filtered);
  const complete =
    project === undefined
      ? sql`NULL::int`
      : sql`count(*) FILTER (WHERE (SELECT p.countermeasures > 0 AND p.countermeasures = p.complete
        FROM ${progress(project, scope)} p))::int`;
  const { rows } = await sql<CoverageCounts & { level: number | null; total: boolean }>`
    SELECT count(*)::int AS sections, count(*) FILTER (WHERE ${isCovered(scope)})::int AS covered,
      ${complete} AS complete, item.level, grouping(item.level) = 1 AS total
    FROM regulation_section item WHERE ${countedSections(regulation, scope)}
    GROUP BY GROUPING SETS ((), (item.level)) ORDER BY item.level`.execute(em.getKysely());
  const countsOf = ({ sections, covered, complete: done }: CoverageCounts): CoverageCounts => ({
    sections,
    covered,
    complete: done,
  });
  const total = rows.find((row) => row.total) ?? { sections: 0, covered: 0, complete: null };
  const levels = rows.flatMap((row) => (row.level === null ? [] : { level: row.level, ...countsOf(row) }));
  return { ...countsOf(total), levels };
}
