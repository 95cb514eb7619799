import type { QueryResult, CompletedQuery, Value } from './engine.js';
import { type Cube, type Member, type Model, reportingModel } from './model.js';
import type { CheckedQuery, ReportQuery } from './query.js';

interface Annotation {
  readonly title: string;
  readonly shortTitle: string;
  readonly type: string;
  readonly format?: string;
}

/** The response to one query, in Cube's format. `truncated` is an addition of Merlon. */
interface LoadResponse {
  readonly query: object;
  readonly data: readonly Readonly<Record<string, Value>>[];
  readonly annotation: Readonly<Record<'measures' | 'dimensions' | 'segments' | 'timeDimensions', object>>;
  readonly lastRefreshTime: string;
  readonly total?: number;
  readonly truncated: boolean;
}

const annotated = ({ title, shortTitle, type, format }: Member): Annotation => ({
  title,
  shortTitle,
  type,
  ...(format && { format }),
});

/** The query as it was run, with every default filled in. */
const normalizedQuery = ({ timeDimensions, offset, total, ungrouped, ...query }: ReportQuery): object => ({
  ...query,
  timeDimensions,
  ...(offset > 0 && { offset }),
  ...(total && { total }),
  ...(ungrouped && { ungrouped }),
  segments: [],
  queryType: 'regularQuery',
});

function annotationOf(query: ReportQuery, model: Model): LoadResponse['annotation'] {
  const of = (names: readonly string[]): object =>
    Object.fromEntries(
      names.flatMap((name) => {
        const member = model.members.get(name);
        return member ? [[name, annotated(member)]] : [];
      }),
    );
  const times = query.timeDimensions.flatMap(({ dimension, granularity }) => {
    const member = model.members.get(dimension);
    if (!member || !granularity) return [];
    return [`${dimension}.${granularity}`, dimension].map((name) => [name, { ...annotated(member), granularity }]);
  });
  return {
    measures: of(query.measures),
    dimensions: of(query.dimensions),
    segments: {},
    timeDimensions: Object.fromEntries(times),
  };
}

const loadResponseOf = (query: ReportQuery, result: QueryResult, model: Model): LoadResponse => ({
  query: normalizedQuery(query),
  data: result.rows,
  annotation: annotationOf(query, model),
  lastRefreshTime: result.refreshed.toISOString(),
  ...(result.total !== undefined && { total: result.total }),
  truncated: result.truncated,
});

/** The response body of `load`: one result, or one for each compared range. */
export function loadResponse(
  { compared }: CheckedQuery,
  completed: readonly CompletedQuery[],
  model = reportingModel(),
): object {
  const results = completed.map(({ query, result }) => loadResponseOf(query, result, model));
  return compared ? { queryType: 'compareDateRangeQuery', results } : (results[0] ?? {});
}

const metaOfMember = ({ name, title, shortTitle, type, aggType, format, description }: Member): object => ({
  name,
  title,
  shortTitle,
  type,
  ...(aggType !== undefined && { aggType }),
  ...(format !== undefined && { format }),
  ...(description !== undefined && { description }),
});

const metaOfCube = ({ name, title, members }: Cube): object => ({
  name,
  title,
  measures: members.filter(({ kind }) => kind === 'measure').map(metaOfMember),
  dimensions: members.filter(({ kind }) => kind === 'dimension').map(metaOfMember),
  segments: [],
});

/** The response body of `meta`: the cubes and members that queries can name. */
export const metaOf = (model = reportingModel()): object => ({
  cubes: [...model.cubes.values()].filter(({ isPublic }) => isPublic).map(metaOfCube),
});

/** The response body of `dry-run`: the query as it would be run. */
export const dryRunOf = ({ queries, compared }: CheckedQuery): object => ({
  queryType: compared ? 'compareDateRangeQuery' : 'regularQuery',
  normalizedQueries: queries.map(normalizedQuery),
});
