import { sql } from 'kysely';
import { identityOrder, builtInAndCustom, builtInOrCustom } from '#domain/kernel/built-in.sql.js';
import { jsonList } from '#query/expressions.js';
import { integer, list, text } from './columns.js';
import { modelOfColumns } from './content-model.js';

export const subsectionModel = modelOfColumns({
  name: 'subsection',
  title: 'Subsections of the survey',
  source: builtInAndCustom('survey_subsection'),
  order: identityOrder,
  columns: {
    id: { ...text('Such as `SS2`.'), sql: sql`item.item_id` },
    section: {
      ...text('The section that it belongs to.', { references: 'section', bounds: { required: true } }),
      sql: sql`(SELECT s.item_id FROM survey_section s WHERE s.id = item.section_id)`,
    },
    title: { ...text('', { bounds: { required: true } }), sql: sql`item.title` },
    ordinal: { ...integer('Place in the survey.'), sql: sql`item.ordinal` },
    questions: {
      ...list('Its questions, in their order.', { readOnly: true, references: 'question' }),
      sql: (reading) =>
        jsonList(sql`SELECT q.item_id AS entry FROM survey_question q
          WHERE q.subsection_id = item.id AND ${builtInOrCustom('q', reading)} ORDER BY q.ordinal, q.id`),
    },
  },
});
