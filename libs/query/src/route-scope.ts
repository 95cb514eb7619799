import type { FilterParameter } from './filter-parameters.js';
import type { Paging, Projection } from './projection.js';

/**
 * Which of a projection's parameters a route takes: all of a list's, those of an item that is asked for, or only those
 * that shape what a write answers.
 */
export type RouteScope = 'list' | 'item' | 'written';

const WHOLE_LIST_PAGING: Paging = { defaultSize: 100, maximumSize: 10_000 };

/** How a list is paged where pages are asked for, or always. */
export const pagingOf = ({ stream, paging }: Projection): Paging => stream ?? paging ?? WHOLE_LIST_PAGING;

/** The parameters of one filter, by their whole names. */
export type NamedFilter = ReadonlyMap<string, FilterParameter>;

const namedFilters = (declaration: Projection): Map<string, NamedFilter> =>
  new Map(
    Object.entries(declaration.filters ?? {}).map(([name, filter]) => [
      name,
      new Map(Object.entries(filter).map(([suffix, parameter]) => [name + suffix, parameter])),
    ]),
  );

const cache = new WeakMap<Projection, Map<string, NamedFilter>>();
const cachedFilters = (declaration: Projection): Map<string, NamedFilter> => {
  let found = cache.get(declaration);
  if (!found) cache.set(declaration, (found = namedFilters(declaration)));
  return found;
};

/** The filters that a route takes. */
export const filtersOf = (declaration: Projection, scope: RouteScope): NamedFilter[] => {
  const filters = cachedFilters(declaration);
  if (scope === 'list') return [...filters.values()];
  const names = scope === 'item' ? (declaration.itemFilters ?? []) : [];
  return names.flatMap((name) => filters.get(name) ?? []);
};
