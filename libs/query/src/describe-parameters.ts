import { fieldNames, type Projection, type Switch } from './projection.js';
import * as schema from './schema.js';
import type { Schema } from './schema.js';
import { filtersOf, pagingOf, type RouteScope } from './route-scope.js';

/** Documentation of one query parameter. */
export interface ParameterDescription {
  readonly name: string;
  readonly description: string;
  readonly schema: Schema;
  /** The comma-separated lists are one value; a repeatable parameter is several. */
  readonly repeatable: boolean;
  readonly required: boolean;
}

const SWITCHES: Record<Switch, string> = {
  show_original:
    'Shows the built-in content of items that the organization changed; filters and orderings look at it too.',
  to_html: 'Renders CommonMark texts as sanitised HTML.',
  absolute_urls: 'Makes every `url` absolute.',
};

type Describe = (
  name: string,
  description: string,
  shape: Schema,
  options?: { readonly repeatable?: boolean; readonly required?: boolean },
) => void;

const names = (values: Iterable<string>): Schema => schema.list(schema.string({ enum: [...values] }));

/** What a list takes besides its filters: which part of it, in which order. */
function describeList(declaration: Projection, describe: Describe): void {
  if (declaration.search)
    describe(
      'search',
      `Finds every word, without regard to case, anywhere in: ${declaration.search.fields.join(', ')}.`,
      schema.string(),
    );
  const orderings = declaration.stream
    ? [declaration.defaultOrdering]
    : Object.keys(declaration.orderings).flatMap((name) => [name, `-${name}`]);
  describe('ordering', `\`-\` in front reverses it. Default: \`${declaration.defaultOrdering}\`.`, names(orderings));
  const { defaultSize, maximumSize } = pagingOf(declaration);
  if (declaration.stream) {
    describe('cursor', 'Where the page begins, as `next` and `previous` name it. Keeps its window.', schema.string());
    describe('date_from', 'Begin of the window; a year before its end where it is not given.', schema.timestamp());
    describe('date_to', 'End of the window; now where it is not given.', schema.timestamp());
  } else
    describe(
      'page',
      declaration.paging ? 'Number of the page, from 1.' : 'Number of the page, from 1; turns pages on.',
      schema.integer({ minimum: 1 }),
    );
  const unasked = declaration.stream ? 'none is given' : 'only `page` is given';
  describe(
    'page_size',
    `Rows on a page, ${defaultSize} where ${unasked}; more than ${maximumSize} is lowered to that.`,
    schema.integer({ minimum: 1 }),
  );
}

/** Every query parameter that a route on this projection takes, in the order of the document. */
export function describeParameters(declaration: Projection, scope: RouteScope): ParameterDescription[] {
  const described: ParameterDescription[] = [];
  const describe: Describe = (name, description, shape, { repeatable = false, required = false } = {}) =>
    described.push({ name, description, schema: shape, repeatable, required });
  const includes = Object.keys(declaration.includes ?? {});
  const expands = Object.keys(declaration.expands ?? {});
  if (includes.length) describe('include', 'Adds optional fields, comma-separated.', names(includes));
  if (expands.length) describe('expand', 'Replaces ids with objects, comma-separated.', names(expands));
  describe('exclude', 'Leaves fields out, comma-separated; `id` always stays.', names(fieldNames(declaration)));
  for (const name of declaration.switches ?? []) describe(name, SWITCHES[name], schema.boolean({ default: false }));
  if (scope === 'list') describeList(declaration, describe);
  for (const filter of filtersOf(declaration, scope))
    for (const [name, parameter] of filter) describe(name, parameter.description, parameter.schema, parameter);
  return described;
}
