import type { Operation } from './operation.js';

/** Query parameters that do not filter rows. */
const RESULT_PARAMETERS: ReadonlySet<string> = new Set([
  'include',
  'expand',
  'exclude',
  'show_original',
  'to_html',
  'absolute_urls',
  'filtered_component_only',
  'ordering',
  'page',
  'page_size',
  'cursor',
]);

const code = (name: string): string => `\`${name}\``;

/** The filters of a list, grouped by field: `created` (`__gt`, `__gte`). */
function filtersOf(names: readonly string[]): string {
  const fields = new Map<string, string[]>();
  for (const name of names) {
    const [, field = name, comparison] = /^(.*?)(__[a-z]+)?$/.exec(name) ?? [];
    fields.set(field, [...(fields.get(field) ?? []), ...(comparison === undefined ? [] : [code(comparison)])]);
  }
  return [...fields]
    .map(([field, comparisons]) => code(field) + (comparisons.length ? ` (${comparisons.join(', ')})` : ''))
    .join(', ');
}

function listDescription(names: readonly string[]): string {
  const summary = names.includes('cursor')
    ? 'Returns one page; follow `next` and `previous` for the others.'
    : 'Returns all items in `results`. With `page` or `page_size`: one page, with `count`, `next` and `previous`.';
  const filters = names.filter((name) => !RESULT_PARAMETERS.has(name));
  if (!filters.length) return summary;
  return `${summary} Filters: ${filtersOf(filters)}. Use a suffix as \`name__suffix=value\`.`;
}

/** The description of an operation, in addition to its summary. */
export function describeOperation(method: string, path: string, operation: Operation): string {
  const query = (operation.parameters ?? []).flatMap((one) => ('in' in one && one.in === 'query' ? [one.name] : []));
  const isItem = path.endsWith('}/');
  switch (method) {
    case 'get':
      if (query.includes('ordering')) return listDescription(query);
      return isItem
        ? 'Returns one item. If the item does not exist or you cannot see it, returns 404.'
        : 'Returns everything that you can see.';
    case 'post':
      return operation.responses['201']
        ? 'Returns the new item. Unknown fields are ignored; with `Prefer: handling=strict`, they are rejected.'
        : 'Performs the action and returns its result.';
    case 'patch':
      return 'Changes the fields in the body and returns the item. You can send back what a GET returned.';
    default:
      return 'Deletes the item and returns 204 without a body. If the item is still in use, returns 400.';
  }
}
