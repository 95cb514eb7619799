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
import { scopeOfActor, type ProjectScope, visibleProjectId } from '../project-access/project-visibility.js';
import {
  inRegulation,
  mappedCountermeasures,
  regulationSectionProjection,
} from '../../library/regulation/regulation-section.projection.js';

const { id, code, title, ordinal, countermeasures } = regulationSectionProjection.fields;

/** One mapping that satisfies the section, or partial ones that were declared complete. */
const covered = (reading: Pick<QueryContext, 'organization'>): Sql =>
  sql`EXISTS (SELECT 1 FROM ${mappedCountermeasures(reading)}
    AND (n.strength = 'full' OR (item.partial_mappings_complete AND n.strength = 'partial')))`;

const COVERED = 'Whether a full mapping, or a complete set of partial ones, satisfies it.';

/** The project that was asked for, as a number that the database takes; none was where undefined. */
const projectOf = (filtered: QueryContext['filterValues']): string | undefined =>
  filtered.get('project')?.map(parseWholeNumber)[0];

/** How many of the countermeasures that a section names a project has accepted, and how many of them are done. */
const progress = (project: string, reading: ProjectScope): Sql =>
  sql`(SELECT count(*) AS countermeasures, count(*) FILTER (WHERE s.meaning = 'DONE') AS complete
    FROM project_countermeasure t JOIN task_status s ON s.id = t.status_id
    WHERE t.project_id = ${visibleProjectId(project, reading)} AND t.accepted
      AND t.countermeasure_id IN (SELECT c.id FROM ${mappedCountermeasures(reading)}))`;

const progressField = (reading: QueryContext): Sql => {
  const project = projectOf(reading.filterValues);
  if (project === undefined) return sql`NULL::json`;
  return sql`(SELECT ${jsonObject({ countermeasures: sql`p.countermeasures`, complete: sql`p.complete` })}
    FROM ${progress(project, reading)} p)`;
};

/** No filter of a column: it adds what the project has. One that the viewer does not see has no sections. */
const projectFilter: Filter = {
  '': {
    schema: schema.integer(),
    description: 'Adds the progress of this project. If it does not exist, the list is empty.',
    read: ([given = '']) => {
      const project = parseWholeNumber(given);
      return (reading) => sql`${visibleProjectId(project, reading)} IS NOT NULL`;
    },
  },
};

/** Which sections of a regulation have countermeasures, within their regulation. */
export const regulationCoverageProjection = projection({
  ...regulationSectionProjection,
  name: 'RegulationCoverage',
  fields: {
    id,
    code,
    title,
    ordinal,
    countermeasures,
    covered: { sql: covered, schema: schema.boolean({ description: COVERED }) },
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
    ...regulationSectionProjection.filters,
    covered: filters.boolean(covered, COVERED),
    project: projectFilter,
  },
  orderings: { ...regulationSectionProjection.orderings, covered: [covered] },
});

/** The coverage of a whole regulation. */
export interface CoverageSummary {
  readonly sections: number;
  readonly covered: number;
  /** Sections of whose countermeasures the project has some, and has done all; null without a project. */
  readonly complete: number | null;
}

export const COVERAGE_SUMMARY = schema.object(
  {
    sections: schema.integer({ description: 'How many sections the regulation has.' }),
    covered: schema.integer({ description: 'How many of them are covered.' }),
    complete: schema.nullable(
      schema.integer({
        description:
          'The number of sections whose countermeasures in the project are all complete; null without `project`.',
      }),
    ),
  },
  { description: 'The whole regulation, whatever the filters.' },
);

/** Sums up all sections of a regulation: filters and pages leave the sum alone. */
export async function sumUpCoverage(
  em: EntityManager,
  actor: Actor,
  regulation: string,
  filtered: QueryContext['filterValues'],
): Promise<CoverageSummary> {
  const viewer = scopeOfActor(actor);
  const project = projectOf(filtered);
  const complete =
    project === undefined
      ? sql`NULL::int`
      : sql`count(*) FILTER (WHERE (SELECT p.countermeasures > 0 AND p.countermeasures = p.complete
        FROM ${progress(project, viewer)} p))::int`;
  const { rows } = await sql<CoverageSummary>`
    SELECT count(*)::int AS sections, count(*) FILTER (WHERE ${covered(viewer)})::int AS covered,
      ${complete} AS complete
    FROM regulation_section item WHERE ${inRegulation(regulation, viewer)}`.execute(em.getKysely());
  return rows[0] ?? { sections: 0, covered: 0, complete: null };
}
