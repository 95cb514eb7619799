import { sql } from 'kysely';
import { column } from '#query/column.js';
import * as filters from '#query/filters.js';
import type { Sql } from '#query/query-context.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { attributeIdsSchema, attributeList } from '../attribute-list/attribute.sql.js';
import { idShape } from '../../kernel/item-id.js';
import { identityOrder, builtInAndCustom, identitiesByItemId } from '../../kernel/built-in.sql.js';

const subsectionOf = sql`(SELECT q.subsection_id FROM survey_question q WHERE q.id = item.question_id)`;
const sectionOf = sql`(SELECT s.section_id FROM survey_subsection s WHERE s.id = ${subsectionOf})`;
const itemIdOf = (table: string, id: Sql): Sql => sql`(SELECT o.item_id FROM ${sql.table(table)} o WHERE o.id = ${id})`;

export const answerProjection = projection({
  name: 'Answer',
  source: builtInAndCustom('survey_answer'),
  key: { shape: idShape('survey_answer'), column: sql`item.item_id`, order: identityOrder },
  fields: {
    id: { sql: sql`item.item_id`, schema: schema.string({ example: 'A12' }) },
    text: column(schema.string(), { filter: 'Its text.', sortable: true }),
    description: column(schema.string()),
    display_text: column(schema.string({ description: 'Its name in places that do not show the question.' }), {
      filter: true,
    }),
    is_active: column(schema.boolean(), { filter: 'Whether it can be chosen.', sortable: true }),
    question: { sql: itemIdOf('survey_question', sql`item.question_id`), schema: schema.string({ example: 'Q4' }) },
    section: { sql: itemIdOf('survey_section', sectionOf), schema: schema.string({ example: 'S1' }) },
    subsection: { sql: itemIdOf('survey_subsection', subsectionOf), schema: schema.string({ example: 'SS2' }) },
    subquestion: {
      sql: itemIdOf('survey_subquestion', sql`item.subquestion_id`),
      schema: schema.nullable(schema.string({ example: 'SQ1' })),
    },
    attributes: {
      sql: attributeList(sql`item.attributes`, false),
      schema: { ...attributeIdsSchema, description: 'Attributes that the answer adds to a project.' },
    },
  },
  filters: {
    id: filters.publicId(sql`item.item_id`, idShape('survey_answer')),
    question: filters.reference(
      sql`item.question_id`,
      'Answers of this question.',
      identitiesByItemId('survey_question'),
      idShape('survey_question'),
    ),
    section: filters.reference(
      sectionOf,
      'Answers of this section.',
      identitiesByItemId('survey_section'),
      idShape('survey_section'),
    ),
    subsection: filters.reference(
      subsectionOf,
      'Answers of this subsection.',
      identitiesByItemId('survey_subsection'),
      idShape('survey_subsection'),
    ),
    subquestion: filters.reference(
      sql`item.subquestion_id`,
      'Answers of this subquestion.',
      identitiesByItemId('survey_subquestion'),
      idShape('survey_subquestion'),
    ),
    attribute: filters.related(
      'Answers that add this attribute to a project.',
      (ids, context) =>
        ids === null
          ? sql`item.attributes <> '{}'`
          : sql`item.attributes && ARRAY(${identitiesByItemId('attribute')(ids, context)})`,
      { shape: idShape('attribute') },
    ),
  },
  orderings: { id: identityOrder },
  defaultOrdering: 'id',
  search: {
    text: sql`item.item_id || E'\n' || item.text || E'\n' || item.display_text`,
    fields: ['id', 'text', 'display_text'],
  },
});
