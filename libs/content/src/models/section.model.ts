import { sql } from 'kysely';
import { sectionFields } from '#domain/library/survey/survey.fields.js';
import { builtInOrCustom } from '#domain/kernel/built-in.sql.js';
import { sectionProjection } from '#domain/library/survey/section.projection.js';
import { jsonList } from '#query/expressions.js';
import { modelOf } from './content-model.js';

export const sectionModel = modelOf(sectionProjection, {
  name: 'section',
  title: 'Sections of the survey',
  fields: sectionFields,
  references: { subsections: 'subsection' },
  columns: {
    subsections: {
      about: 'Its subsections, in their order.',
      sql: (context) =>
        jsonList(sql`SELECT s.item_id AS entry FROM survey_subsection s
          WHERE s.section_id = item.id AND ${builtInOrCustom('s', context)} ORDER BY s.ordinal, s.id`),
    },
  },
});
