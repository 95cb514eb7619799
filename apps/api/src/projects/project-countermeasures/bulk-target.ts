import { Invalid } from '#domain/kernel/domain-errors.js';
import type { BulkTarget } from '#domain/projects/project-countermeasure/bulk-change.commands.js';
import { projectCountermeasureProjection } from '#domain/projects/project-countermeasure/project-countermeasure.projection.js';
import { InvalidParameters } from '#query/errors.js';
import { parseQuery, type QueryParameters } from '#query/parameters.js';
import { filtersOf } from '#query/route-scope.js';
import type { ChangeProjectCountermeasures } from './project-countermeasures.dto.js';

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (Array.isArray(value) && (value.length === 0 || value.some(isEmpty)));

const parameterOf = (value: unknown): string | string[] => (Array.isArray(value) ? value.map(String) : String(value));

/**
 * Rejects unknown filters, and those without a value: in a query they would be ignored, but here they would select
 * countermeasures that no one meant to change.
 */
function errorsOf(filter: Readonly<Record<string, unknown>>): Record<string, string[]> {
  const allowed = new Set([
    'search',
    ...[...filtersOf(projectCountermeasureProjection, 'list').values()].flatMap((parameters) => [...parameters.keys()]),
  ]);
  return Object.fromEntries(
    Object.entries(filter).flatMap(([name, value]) => {
      if (!allowed.has(name)) return [[name, ['This filter is unknown.']]];
      return isEmpty(value) ? [[name, ['This filter needs a value.']]] : [];
    }),
  );
}

/** The countermeasures that a body selects: by `ids`, or by a filter with query parameters. Throws `Invalid`. */
export function bulkTargetOf({ ids, filter }: Pick<ChangeProjectCountermeasures, 'ids' | 'filter'>): BulkTarget {
  if ((ids === undefined) === (filter === undefined))
    throw new Invalid({ non_field_errors: ['Send either "ids" or "filter".'] });
  if (ids) return { ids };
  const errors = errorsOf(filter ?? {});
  if (Object.keys(errors).length) throw new Invalid({ filter: errors });
  const parameters: QueryParameters = Object.fromEntries(
    Object.entries(filter ?? {}).map(([name, value]) => [name, parameterOf(value)]),
  );
  try {
    return { filter: parseQuery(projectCountermeasureProjection, 'list', parameters, true) };
  } catch (error) {
    throw error instanceof InvalidParameters ? new Invalid({ filter: error.parameters }) : error;
  }
}
