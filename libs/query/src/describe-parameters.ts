import { fieldNames, type Projection, type Switch } from './projection.js';
import * as schema from './schema.js';
import type { Schema } from './schema.js';
import { filtersOf, pagingOf, type RouteScope } from './route-scope.js';

/** Documentation of one query parameter. */
export interface ParameterDescription {
  readonly name: string;
  readonly description: string;
  readonly schema: Schema;
  /** Whether the parameter may be given several times. A comma-separated list is a single value. */
  readonly repeatable: boolean;
  readonly required: boolean;
}

const SWITCHES: Record<Switch, string> = {
  show_original:
    'Returns the original content of items that the organization customized. Filters and orderings use it too.',
  to_html: 'Returns CommonMark texts as sanitized HTML.',
  absolute_urls: 'Returns absolute URLs in every `url`.',
};

type Describe = (
  name: string,
  description: string,
  shape: Schema,
  options?: { readonly repeatable?: boolean; readonly required?: boolean },
) => void;

const nameListSchema = (values: Iterable<string>): Schema => schema.list(schema.string({ enum: [...values] }));

/** Describes a list's parameters other than its filters: search, ordering and paging. */
function describeList(declaration: Projection, describe: Describe): void {
  if (declaration.search)
    describe(
      'search',
      `Finds items where each word occurs, regardless of case, in one of: ${declaration.search.fields.join(', ')}.`,
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

/** Describes all query parameters of a route on this projection, in the order of the OpenAPI document. */
export function describeParameters(declaration: Projection, scope: RouteScope): ParameterDescription[] {
  const descriptions: ParameterDescription[] = [];
  const describe: Describe = (name, description, shape, { repeatable = false, required = false } = {}) =>
    descriptions.push({ name, description, schema: shape, repeatable, required });
  const includes = Object.keys(declaration.includes ?? {});
  const expands = Object.keys(declaration.expands ?? {});
  if (includes.length) describe('include', 'Adds optional fields, comma-separated.', nameListSchema(includes));
  if (expands.length) describe('expand', 'Replaces ids by objects, comma-separated.', nameListSchema(expands));
  describe(
    'exclude',
    'Leaves out fields, comma-separated. `id` is always included.',
    nameListSchema(fieldNames(declaration)),
  );
  for (const name of declaration.switches ?? []) describe(name, SWITCHES[name], schema.boolean({ default: false }));
  if (scope === 'list') describeList(declaration, describe);
  for (const filter of filtersOf(declaration, scope))
    for (const [name, parameter] of filter) describe(name, parameter.description, parameter.schema, parameter);
  return descriptions;
}
