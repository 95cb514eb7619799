import type { FilterParameter } from './filter-parameters.js';
import type { Paging, Projection } from './projection.js';

/**
 * Which of a projection's parameters a route accepts: all of a list's, those of an item, or only those that shape the
 * response to a write.
 */
export type RouteScope = 'list' | 'item' | 'written';

const WHOLE_LIST_PAGING: Paging = { defaultSize: 100, maximumSize: 10_000 };

/** The page sizes of a list, whether it is always paged or only on request. */
export const pagingOf = ({ stream, paging }: Projection): Paging => stream ?? paging ?? WHOLE_LIST_PAGING;

/** The parameters of one filter, by full name. */
export type NamedFilter = ReadonlyMap<string, FilterParameter>;

const namedFilters = (declaration: Projection): Map<string, NamedFilter> =>
  new Map(
    Object.entries(declaration.filters ?? {}).map(([name, filter]) => [
      name,
      new Map(Object.entries(filter).map(([suffix, parameter]) => [name + suffix, parameter])),
    ]),
  );

type FiltersByScope = Readonly<Record<RouteScope, ReadonlyMap<string, NamedFilter>>>;

function filtersByScope(declaration: Projection): FiltersByScope {
  const list = namedFilters(declaration);
  const item = new Map([...list].filter(([name]) => declaration.itemFilters?.includes(name)));
  return { list, item, written: new Map() };
}

const cache = new WeakMap<Projection, FiltersByScope>();

/** The filters that a route accepts, by name. */
export function filtersOf(declaration: Projection, scope: RouteScope): ReadonlyMap<string, NamedFilter> {
  let filters = cache.get(declaration);
  if (!filters) cache.set(declaration, (filters = filtersByScope(declaration)));
  return filters[scope];
}

/** The name in `include` that adds facets to a list. */
export const FACETS = 'facets';

/** The names that `include` accepts on a route. */
export const includesOf = ({ includes = {}, facets }: Projection, scope: RouteScope): string[] => [
  ...Object.keys(includes),
  ...(scope === 'list' && facets ? [FACETS] : []),
];
