import type { Operation } from './operation.js';

/** Query parameters that shape a list, and do not choose its rows. */
const SHAPING: ReadonlySet<string> = new Set([
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

/** The filters of a list, those of one field together: `created` (`__gt`, `__gte`). */
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
  const answer = names.includes('cursor')
    ? 'Answers one page, newest or oldest first; `next` and `previous` lead to its neighbours.'
    : 'Answers every row in `results`. `page` or `page_size` turns pages on, with `count`, `next` and `previous`.';
  const filters = names.filter((name) => !SHAPING.has(name));
  if (!filters.length) return answer;
  return `${answer} Filters: ${filtersOf(filters)}. A suffix compares: \`name__suffix=value\`.`;
}

/** What an operation does, for those who read more than its summary. */
export function describeOperation(method: string, path: string, operation: Operation): string {
  const query = (operation.parameters ?? []).flatMap((one) => ('in' in one && one.in === 'query' ? [one.name] : []));
  const isItem = path.endsWith('}/');
  switch (method) {
    case 'get':
      if (query.includes('ordering')) return listDescription(query);
      return isItem
        ? 'Answers one item. An item that the caller may not see is a 404, as one that does not exist.'
        : 'Answers what the caller may see.';
    case 'post':
      return operation.responses['201']
        ? 'Answers the new item. Unknown fields are ignored, unless `Prefer: handling=strict` refuses them.'
        : 'Does this once, and answers its result.';
    case 'patch':
      return 'Changes the fields that the body names, and answers the whole. What was read can be sent back as it is.';
    default:
      return 'Deletes the item, and answers 204 without a body. What still needs it prevents that with a 400.';
  }
}
