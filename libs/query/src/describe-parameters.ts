import { fieldNames, type Projection, type Switch } from './projection.js';
import * as schema from './schema.js';
import type { Schema } from './schema.js';
import { filtersOf, includesOf, pagingOf, type RouteScope } from './route-scope.js';

/** Documentation of one query parameter. */
export interface ParameterDescription {
  readonly name: string;
  readonly description: string;
  readonly schema: Schema;
  readonly required: boolean;
}

const SWITCHES: Record<Switch, string> = {
  show_original:
    'Returns the original content of items that the organization customized. Filters and orderings use it too.',
  to_html: 'Returns CommonMark texts as sanitized HTML.',
  absolute_urls: 'Returns absolute URLs in every `url`.',
};

type Describe = (name: string, description: string, shape: Schema, options?: { readonly required?: boolean }) => void;

const nameListSchema = (values: Iterable<string>): Schema => schema.list(schema.string({ enum: [...values] }));

/** Describes a list's parameters other than its filters: search, ordering and paging. */
function describeList(declaration: Projection, describe: Describe): void {
  if (declaration.search)
    describe(
      'search',
      `Finds items where each word occurs, regardless of case, in one of: ${declaration.search.fields.join(', ')}.`,
      schema.string(),
    );
  if (declaration.facets)
    describe(
      'facet_search',
      'With `include=facets`: `tag:words` shows only those values of the facet `tag` in which, or in whose labels, ' +
        'each word occurs, regardless of case.',
      schema.string(),
    );
  const orderings = declaration.stream
    ? [declaration.defaultOrdering]
    : Object.keys(declaration.orderings).flatMap((name) => [name, `-${name}`]);
  describe(
    'ordering',
    `Prefix the field with \`-\` for descending order. Default: \`${declaration.defaultOrdering}\`.`,
    nameListSchema(orderings),
  );
  const { defaultSize, maximumSize } = pagingOf(declaration);
  if (declaration.stream) {
    describe('cursor', 'Start of the page, from `next` or `previous`. The window stays the same.', schema.string());
    describe('date_from', 'Start of the window. Default: a year before its end.', schema.timestamp());
    describe('date_to', 'End of the window. Default: now.', schema.timestamp());
  } else
    describe(
      'page',
      declaration.paging
        ? 'Number of the page, from 1.'
        : 'Number of the page, from 1. Without it, the response has no pages.',
      schema.integer({ minimum: 1 }),
    );
  const condition = declaration.stream || declaration.paging ? '' : ', if only `page` is given';
  describe(
    'page_size',
    `Items per page, at most ${maximumSize}. Default: ${defaultSize}${condition}.`,
    schema.integer({ minimum: 1 }),
  );
}

/**
 * Describes all query parameters of a route on this projection, in the order of the OpenAPI document: comparisons
 * (`priority__gte`) come last.
 */
export function describeParameters(declaration: Projection, scope: RouteScope): ParameterDescription[] {
  const descriptions: ParameterDescription[] = [];
  const describe: Describe = (name, description, shape, { required = false } = {}) =>
    descriptions.push({ name, description, schema: shape, required });
  const includes = includesOf(declaration, scope);
  const expands = Object.keys(declaration.expands ?? {});
  if (includes.length) describe('include', 'Adds optional fields.', nameListSchema(includes));
  if (expands.length) describe('expand', 'Replaces ids by objects.', nameListSchema(expands));
  describe('exclude', 'Leaves out fields. `id` is always included.', nameListSchema(fieldNames(declaration)));
  for (const name of declaration.switches ?? []) describe(name, SWITCHES[name], schema.boolean({ default: false }));
  if (scope === 'list') describeList(declaration, describe);
  const filters = [...filtersOf(declaration, scope).values()].flatMap((filter) => [...filter]);
  const isComparison = ([name]: (typeof filters)[number]): boolean => /__[a-z]+$/.test(name);
  for (const [name, parameter] of [...filters.filter((one) => !isComparison(one)), ...filters.filter(isComparison)])
    describe(name, parameter.description, parameter.schema, parameter);
  return descriptions;
}
