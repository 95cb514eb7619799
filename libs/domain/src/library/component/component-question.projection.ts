import { sql } from 'kysely';
import { column } from '#query/column.js';
import { jsonList, jsonObject } from '#query/expressions.js';
import * as filters from '#query/filters.js';
import type { QueryContext, Sql } from '#query/query-context.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { parseBoolean, splitCommaList } from '#query/values.js';
import { idShape } from '../../kernel/item-id.js';
import { visible } from '../customization/customization.sql.js';
import { identityDbId, identityOrder, builtInAndCustom, identitiesByItemId } from '../../kernel/built-in.sql.js';
import { times } from '../../access/user/authorship.projection.js';

/** `MC` accepts several answers, `SC` one. */
export const QUESTION_TYPES = ['MC', 'SC'] as const;

/** The components (`v`, as the organization sees them) that have the question `item` in their questionnaire. */
const asking = (ids: readonly string[] | null, context: QueryContext): Sql =>
  sql`v.questions @> ARRAY[item.id] AND ${visible('component', 'v', context.organization)}
    ${ids === null ? sql`` : sql`AND v.component_id IN (${identitiesByItemId('component')(ids, context)})`}`;

const isAskedBy = (ids: readonly string[] | null, context: QueryContext): Sql =>
  sql`EXISTS (SELECT 1 FROM component_version v WHERE ${asking(ids, context)})`;

const components = (context: QueryContext): Sql => {
  const values = (parameter: string): readonly string[] => context.filterValues.get(parameter) ?? [];
  const narrowed = values('filtered_component_only').some(parseBoolean);
  const componentIds = narrowed ? splitCommaList([...values('component'), ...values('component__in')]) : [];
  return jsonList(sql`SELECT ${jsonObject({
    id: sql`v.item_id`,
    title: sql`v.title`,
    parent_answer: sql`(SELECT a.item_id FROM component_answer a
      WHERE a.id = v.parent_answers[array_position(v.questions, item.id)])`,
  })} AS entry FROM component_version v
    WHERE ${asking(componentIds.length ? componentIds : null, context)}
    ORDER BY lower(v.title), v.is_custom, v.number`);
};

export const componentQuestionProjection = projection({
  name: 'ComponentQuestion',
  source: builtInAndCustom('component_question'),
  key: { shape: idShape('component_question'), column: sql`item.item_id`, order: identityOrder },
  fields: {
    id: { sql: sql`item.item_id`, schema: schema.string({ example: 'AQ3' }) },
    db_id: { sql: identityDbId('item'), schema: schema.integer({ example: 3 }) },
    text: column(schema.string(), { filter: 'Its text.', sortable: true }),
    description: column(schema.string()),
    question_type: column(
      schema.string({ enum: QUESTION_TYPES, description: '`MC` allows several answers, `SC` one.' }),
      { filter: 'How many answers can be chosen.' },
    ),
    answers: {
      sql: jsonList(
        sql`SELECT ${jsonObject({
          id: sql`a.item_id`,
          text: sql`a.text`,
          description: sql`a.description`,
          attribute: sql`(SELECT t.item_id FROM attribute t WHERE t.id = a.attribute_id)`,
        })} AS entry FROM component_answer a WHERE a.question_id = item.id ORDER BY a.ordinal`,
      ),
      schema: schema.list(
        schema.object({
          id: schema.string({ example: 'AA7' }),
          text: schema.string(),
          description: schema.string(),
          attribute: schema.nullable(
            schema.string({ description: 'The attribute that the answer adds.', example: 'AT12' }),
          ),
        }),
      ),
    },
    ...times.fields,
  },
  includes: {
    components: {
      components: {
        sql: components,
        schema: schema.list(
          schema.object({
            id: schema.string({ example: 'SC4' }),
            title: schema.string(),
            parent_answer: schema.nullable(
              schema.string({ description: 'The answer that opens the question in this component.', example: 'AA7' }),
            ),
          }),
          { description: 'The components that ask it.' },
        ),
      },
    },
  },
  filters: {
    component: filters.related('Questions that this component asks.', isAskedBy, { shape: idShape('component') }),
    filtered_component_only: filters.displaySwitch(
      'Whether `include=components` shows only the components in `component`.',
    ),
    id: filters.publicId(sql`item.item_id`, idShape('component_question')),
  },
  orderings: { id: identityOrder },
  defaultOrdering: 'id',
  search: {
    text: sql`item.item_id || E'\n' || item.text || E'\n' || item.description`,
    fields: ['id', 'text', 'description'],
  },
});
