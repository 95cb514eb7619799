import { sql } from 'kysely';
import { column } from '#query/column.js';
import { jsonObject, timestampField, urlOf } from '#query/expressions.js';
import * as filters from '#query/filters.js';
import type { Sql } from '#query/query-context.js';
import { type Field, projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { attributeList } from '../../library/attribute-list/attribute.sql.js';
import { countermeasureList } from '../../library/component/component.expands.js';
import { iconUrl } from '../../library/component/component-icon.projection.js';
import { idShape } from '../../kernel/item-id.js';
import { CONTENT_TYPES, contentType, idOrder } from '../../library/customization/customization.sql.js';
import { hasChanged, componentsOfProject, TAKEN_LISTS } from './project-component.sql.js';

type TakenList = (typeof TAKEN_LISTS)[number];

const idsOf = (list: TakenList, column: Sql): Sql =>
  list === 'implied_attributes' ? attributeList(column, false) : countermeasureList(column);

const examples: Record<TakenList, string> = {
  tasks_implemented: 'T21',
  tasks_introduced: 'T35',
  implied_attributes: 'AT12',
};

const idList = (list: TakenList, column: Sql, description: string): Field => ({
  sql: idsOf(list, column),
  schema: schema.list(schema.string({ example: examples[list] }), { description }),
});

const commonFields = {
  id: { sql: sql`item.item_id`, schema: schema.string({ example: 'SC4' }) },
  title: column(schema.string(), { filter: 'Its title.', sortable: true }),
};

const declaration = {
  key: { shape: idShape('component'), column: sql`item.item_id`, order: idOrder },
  orderings: { id: idOrder },
  defaultOrdering: 'id',
  search: { text: sql`item.item_id || E'\\n' || item.title`, fields: ['id', 'title'] },
} as const;

const commonFilters = { id: filters.publicId(sql`item.item_id`, idShape('component')) };

/** The components of a project, with their lists as the project last took them from the library. */
export const projectComponentProjection = projection({
  ...declaration,
  name: 'ProjectComponent',
  source: (context) => [componentsOfProject(context)],
  fields: {
    ...commonFields,
    url: {
      sql: urlOf('library/components', sql`item.item_id`),
      schema: schema.string({ example: '/library/components/SC4/' }),
    },
    type: { sql: contentType('component'), schema: schema.string({ enum: CONTENT_TYPES }) },
    description: {
      sql: sql`item.text`,
      schema: schema.markdown({ description: 'CommonMark, or HTML with `to_html=true`.' }),
    },
    category: column(schema.string({ description: 'The kind of component.' }), { filter: true }),
    tasks_implemented: idList(
      'tasks_implemented',
      sql`item.taken_tasks_implemented`,
      'Countermeasures that it implements.',
    ),
    tasks_introduced: idList(
      'tasks_introduced',
      sql`item.taken_tasks_introduced`,
      'Countermeasures that using it introduces.',
    ),
    implied_attributes: idList(
      'implied_attributes',
      sql`item.taken_implied_attributes`,
      'Attributes that it adds to the project.',
    ),
    icon_slug: column(schema.string({ example: 'database' })),
    icon_url: {
      sql: iconUrl(sql`item.icon_slug`),
      schema: schema.string({ example: '/static/components/icons/database.svg' }),
    },
    has_updates: {
      sql: hasChanged('item'),
      schema: schema.boolean({
        description: 'Whether the component has changed in the library since then: see its updates.',
      }),
    },
    added: timestampField(sql`item.added_at`, 'When it was added to the project.'),
    taken: timestampField(sql`item.taken_at`, 'When the project last copied its lists from the library.'),
  },
  filters: {
    ...commonFilters,
    has_updates: filters.boolean(hasChanged('item'), 'Whether the component has changed in the library since then.'),
  },
  switches: ['absolute_urls', 'to_html'],
});

/** The ids that were added to a list and removed from it since the project took it. */
const difference = (list: TakenList, description: string): Field => {
  const [original, current] = [sql.ref(`item.taken_${list}`), sql.ref(`item.${list}`)];
  const without = (all: Sql, those: Sql): Sql =>
    sql`ARRAY(SELECT id FROM unnest(${all}) WITH ORDINALITY listed(id, n) WHERE id <> ALL(${those}) ORDER BY n)`;
  const ids = schema.list(schema.string({ example: examples[list] }));
  return {
    sql: jsonObject({
      added: idsOf(list, without(current, original)),
      removed: idsOf(list, without(original, current)),
    }),
    schema: schema.object({ added: ids, removed: ids }, { description }),
  };
};

/** The components of a project that have changed in the library since the project last took their lists. */
export const componentUpdateProjection = projection({
  ...declaration,
  name: 'ComponentUpdate',
  source: (context) => {
    const { table, where } = componentsOfProject(context);
    return [{ table, where: sql`${where} AND ${hasChanged('item')}` }];
  },
  fields: {
    ...commonFields,
    tasks_implemented: difference('tasks_implemented', 'What it now implements, and what it no longer does.'),
    tasks_introduced: difference('tasks_introduced', 'What it now introduces, and what it no longer does.'),
    implied_attributes: difference('implied_attributes', 'What it now adds, and what it no longer does.'),
    updated: timestampField(sql`item.updated_at`, 'When it was last changed in the library.'),
    taken: timestampField(sql`item.taken_at`, 'When the project last copied its lists from the library.'),
  },
  filters: commonFilters,
});
