import { sql } from 'kysely';
import { builtInAndCustom, builtInOrCustom, identityOrder } from '#domain/kernel/built-in.sql.js';
import { subsectionFields } from '#domain/library/survey/survey.fields.js';
import { jsonList } from '#query/expressions.js';
import { modelOf, idField } from './content-model.js';

export const subsectionModel = modelOf(
  { source: builtInAndCustom('survey_subsection'), key: { order: identityOrder }, fields: idField('SS2') },
  {
    name: 'subsection',
    title: 'Subsections of the survey',
    fields: subsectionFields,
    references: { questions: 'question' },
    columns: {
      section: { sql: sql`(SELECT s.item_id FROM survey_section s WHERE s.id = item.section_id)` },
      title: { sql: sql`item.title` },
      ordinal: { sql: sql`item.ordinal` },
      questions: {
        about: 'Its questions, in their order.',
        sql: (context) =>
          jsonList(sql`SELECT q.item_id AS entry FROM survey_question q
            WHERE q.subsection_id = item.id AND ${builtInOrCustom('q', context)} ORDER BY q.ordinal, q.id`),
      },
    },
  },
);
