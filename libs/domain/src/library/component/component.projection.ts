import { sql } from 'kysely';
import { column } from '#query/column.js';
import { jsonList, jsonObject, referencedText, urlOf } from '#query/expressions.js';
import * as filters from '#query/filters.js';
import type { QueryContext, Sql } from '#query/query-context.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import {
  attributeIdsSchema,
  attributeList,
  attributeObjects,
  attributeObjectsSchema,
} from '../attribute-list/attribute.sql.js';
import { idShape } from '../../kernel/item-id.js';
import {
  CONTENT_TYPES,
  contentType,
  dbId,
  idOrder,
  visibleVersionBranches,
} from '../customization/customization.sql.js';
import { iconUrl } from './component-icon.projection.js';
import {
  answerObject,
  answerSchema,
  countermeasureList,
  countermeasureObjects,
  countermeasureSchema,
} from './component.expands.js';
import { identitiesByItemId } from '../../kernel/built-in.sql.js';
import { times } from '../../access/user/authorship.projection.js';

const countermeasureIds = (column: Sql, description: string) => ({
  sql: countermeasureList(column),
  schema: schema.list(schema.string({ example: 'T21' }), { description }),
});

const publicId = (ids: Sql, kind: 'component_question' | 'component_answer'): Sql =>
  referencedText(ids, { id: sql`named.id`, entry: sql`named.item_id`, from: sql`${sql.table(kind)} named` });

const questionnaire =
  jsonList(sql`SELECT ${jsonObject({ question: sql`question`, parent_answer: sql`opener` })} AS entry
  FROM (SELECT ${publicId(sql`unnest(item.questions)`, 'component_question')} AS question,
    ${publicId(sql`unnest(item.parent_answers)`, 'component_answer')} AS opener) asked WHERE question IS NOT NULL`);

/** A filter by the items whose internal ids are in an array column. */
const containsFilter = (
  column: Sql,
  kind: 'countermeasure' | 'attribute' | 'component_question',
  description: string,
) =>
  filters.related(
    description,
    (ids, context: QueryContext) =>
      ids === null
        ? sql`cardinality(${column}) > 0`
        : sql`${column} && ARRAY(${identitiesByItemId(kind)(ids, context)})`,
    { shape: idShape(kind) },
  );

const hidden = sql`(NOT item.active)`;

export const componentProjection = projection({
  name: 'Component',
  source: visibleVersionBranches('component'),
  key: { shape: idShape('component'), column: sql`item.item_id`, order: idOrder },
  fields: {
    id: { sql: sql`item.item_id`, schema: schema.string({ example: 'SC4' }) },
    db_id: { sql: dbId, schema: schema.integer({ description: 'Negative for custom content.', example: 4 }) },
    url: {
      sql: urlOf('library/components', sql`item.item_id`),
      schema: schema.string({ example: '/library/components/SC4/' }),
    },
    type: { sql: contentType('component'), schema: schema.string({ enum: CONTENT_TYPES }) },
    is_custom: column(schema.boolean(), { filter: 'Whether the organization created it.' }),
    title: column(schema.string(), { filter: 'Its title.', sortable: true }),
    description: {
      sql: sql`item.text`,
      schema: schema.markdown({ description: 'CommonMark, or HTML with `to_html=true`.' }),
    },
    category: column(schema.string({ description: 'The kind of component.' }), { filter: true }),
    ...times.fields,
    answer_mapping: {
      sql: sql`(SELECT a.item_id FROM survey_answer a WHERE a.id = item.answer_id)`,
      schema: schema.nullable(
        schema.string({
          description: 'The survey answer that adds it to a project; an object with `expand=answer_mapping`.',
          example: 'A64',
        }),
      ),
    },
    tasks_implemented: countermeasureIds(
      sql`item.tasks_implemented`,
      'Countermeasures that it implements; objects with `expand=tasks`.',
    ),
    tasks_introduced: countermeasureIds(
      sql`item.tasks_introduced`,
      'Countermeasures that using it introduces; objects with `expand=tasks`.',
    ),
    hidden: {
      sql: hidden,
      schema: schema.boolean({ description: 'Whether it is in staging: not active in projects.' }),
    },
    implied_attributes: {
      sql: attributeList(sql`item.implied_attributes`, false),
      schema: {
        ...attributeIdsSchema,
        description: 'Attributes that it adds to the project; objects with `expand=implied_attributes`.',
      },
    },
    icon_slug: column(schema.string({ example: 'database' }), { filter: 'Its icon.' }),
    icon_url: {
      sql: iconUrl(sql`item.icon_slug`),
      schema: schema.string({ example: '/static/components/icons/database.svg' }),
    },
  },
  includes: {
    component_questions: {
      component_questions: {
        sql: questionnaire,
        schema: schema.list(
          schema.object({
            question: schema.string({ example: 'AQ3' }),
            parent_answer: schema.nullable(
              schema.string({ description: 'The answer that opens the question; null: always asked.', example: 'AA7' }),
            ),
          }),
          { description: 'The questions that it asks, in their order.' },
        ),
      },
    },
  },
  expands: {
    tasks: {
      tasks_implemented: {
        sql: countermeasureObjects(sql`item.tasks_implemented`),
        schema: schema.list(countermeasureSchema),
      },
      tasks_introduced: {
        sql: countermeasureObjects(sql`item.tasks_introduced`),
        schema: schema.list(countermeasureSchema),
      },
    },
    answer_mapping: {
      answer_mapping: { sql: answerObject(sql`item.answer_id`), schema: schema.nullable(answerSchema) },
    },
    implied_attributes: {
      implied_attributes: {
        sql: attributeObjects(sql`item.implied_attributes`),
        schema: attributeObjectsSchema,
      },
    },
  },
  filters: {
    hidden: filters.boolean(hidden, 'Whether it is in staging.'),
    id: filters.publicId(sql`item.item_id`, idShape('component')),
    type: filters.choice(contentType('component'), 'Where it comes from.', CONTENT_TYPES),
    answer_mapping: filters.reference(
      sql`item.answer_id`,
      'The answer that it is mapped to.',
      identitiesByItemId('survey_answer'),
      idShape('survey_answer'),
    ),
    tasks_implemented: containsFilter(sql`item.tasks_implemented`, 'countermeasure', 'Components that implement it.'),
    tasks_introduced: containsFilter(sql`item.tasks_introduced`, 'countermeasure', 'Components that introduce it.'),
    implied_attributes: containsFilter(sql`item.implied_attributes`, 'attribute', 'Components that add it.'),
    component_questions: containsFilter(sql`item.questions`, 'component_question', 'Components that ask it.'),
    ...times.filters,
  },
  orderings: {
    last_update_date_time: [sql`item.updated_at`],
    hidden: [hidden],
  },
  defaultOrdering: 'title',
  search: { text: sql`item.title`, fields: ['title'] },
  switches: ['absolute_urls', 'to_html', 'show_original'],
});
