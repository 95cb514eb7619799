import { sql } from 'kysely';
import { jsonList, jsonObject } from '#query/expressions.js';
import type { QueryContext, Sql } from '#query/query-context.js';
import { type Field, projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { idShape, NUMERIC_ID } from '../../kernel/item-id.js';
import { builtInOrCustom } from '../../kernel/built-in.sql.js';
import { visibleProject, visibleProjectId } from '../project-access/project-visibility.js';
import { QUESTION_FORMATS } from '../../library/survey/question.projection.js';
import { drafted, openQuestions } from './survey-state.sql.js';

const idAndText = { id: schema.string({ example: 'A12' }), text: schema.string() };

/** The whole survey, in its order. Sections hold the questions of their subsections. */
const sections: Field = {
  sql: (reading) => {
    const answers = jsonList(sql`SELECT ${jsonObject({ id: sql`a.item_id`, text: sql`a.text` })} AS entry
      FROM survey_answer a WHERE a.question_id = q.id AND a.is_active AND ${builtInOrCustom('a', reading)}
      ORDER BY a.ordinal, a.id`);
    const questions = jsonList(sql`SELECT ${jsonObject({
      id: sql`q.item_id`,
      text: sql`q.text`,
      description: sql`q.description`,
      format: sql`q.format`,
      answers,
    })} AS entry
      FROM survey_question q JOIN survey_subsection s ON s.id = q.subsection_id
      WHERE s.section_id = section.id AND ${builtInOrCustom('q', reading)} ORDER BY s.ordinal, s.id, q.ordinal, q.id`);
    return jsonList(sql`
      SELECT ${jsonObject({ id: sql`section.item_id`, title: sql`section.title`, questions })} AS entry
      FROM survey_section section WHERE ${builtInOrCustom('section', reading)} ORDER BY section.ordinal, section.id`);
  },
  schema: schema.list(
    schema.object({
      id: schema.string({ example: 'S1' }),
      title: schema.string(),
      questions: schema.list(
        schema.object({
          id: schema.string({ example: 'Q4' }),
          text: schema.string(),
          description: schema.string(),
          format: schema.string({ enum: QUESTION_FORMATS, description: '`MC` takes several answers, `SC` one.' }),
          answers: schema.list(schema.object(idAndText)),
        }),
      ),
    }),
    { description: 'The survey in its order; sections hold the questions of their subsections.' },
  ),
};

const complete: Field = {
  sql: sql`item.survey_complete`,
  schema: schema.boolean({
    description: 'Whether all open questions that require an answer had one when it was saved.',
  }),
};

/** What the projections of one project's survey have in common. */
const ofProject = {
  source: (reading: QueryContext) => [{ table: sql.table('project'), where: visibleProject('item', reading) }],
  key: { shape: NUMERIC_ID, column: sql`item.id`, order: [sql`item.id`], numeric: true },
  orderings: {},
  defaultOrdering: 'id',
} as const;

/** The read side of a project's survey as it was saved. */
export const projectSurveyProjection = projection({
  name: 'ProjectSurvey',
  ...ofProject,
  fields: {
    answers: {
      sql: jsonList(sql`SELECT a.item_id AS entry FROM project_answer saved
        JOIN survey_answer a ON a.id = saved.answer_id
        WHERE saved.project_id = item.id ORDER BY a.organization_id NULLS FIRST, a.number`),
      schema: schema.list(schema.string({ example: 'A12' }), { description: 'Ids of the answers that were saved.' }),
    },
    survey_complete: complete,
    sections,
  },
});

const draftAnswerFields = {
  ...idAndText,
  question: schema.string({ example: 'Q4' }),
  selected: schema.boolean(),
  valid: schema.boolean({
    description:
      'Whether its question is open. A selected answer that is not valid is dropped when the draft is saved.',
  }),
};

const isSelected = sql`(a.id IN (SELECT answer_id FROM chosen))`;
const isValid = sql`(a.is_active AND a.question_id IN (SELECT id FROM open_question))`;

/** An answer `a` as the draft has it, below `openQuestions`. */
const draftAnswer: Readonly<Record<keyof typeof draftAnswerFields, Sql>> = {
  id: sql`a.item_id`,
  text: sql`a.text`,
  question: sql`(SELECT q.item_id FROM survey_question q WHERE q.id = a.question_id)`,
  selected: isSelected,
  valid: isValid,
};

/** Every answer as the draft of a project `p` has it. */
const draftAnswers = (p: string, reading: QueryContext): Sql =>
  sql`(WITH ${openQuestions(drafted(p), reading.organization)}
    SELECT coalesce(json_agg(${jsonObject(draftAnswer)}
      ORDER BY section.ordinal, section.id, s.ordinal, s.id, q.ordinal, q.id, a.ordinal, a.id), '[]')
    FROM survey_answer a JOIN survey_question q ON q.id = a.question_id
      JOIN survey_subsection s ON s.id = q.subsection_id
    JOIN survey_section section ON section.id = s.section_id
    WHERE ${builtInOrCustom('a', reading)} ${
      reading.includes.has('hidden')
        ? sql``
        : sql`AND (a.is_active
      OR ${isSelected})`
    })`;

const draftAnswersSchema = schema.list(schema.object(draftAnswerFields));

/** What both the draft and each of its answers, which shows the whole draft, can have in addition. */
const draftIncludes = { survey: { sections }, hidden: {} };

/** The read side of the draft of a project's survey. */
export const surveyDraftProjection = projection({
  name: 'ProjectSurveyDraft',
  ...ofProject,
  fields: {
    answers: {
      sql: (reading) => draftAnswers('item', reading),
      schema: {
        ...draftAnswersSchema,
        description: 'All answers that can be selected; with `include=hidden` also inactive ones.',
      },
    },
    survey_complete: complete,
    dirty: {
      sql: sql`item.survey_dirty`,
      schema: schema.boolean({ description: 'Whether it has unsaved changes.' }),
    },
  },
  includes: draftIncludes,
});

/** One value of the draft of the project that is read within. */
const ofDraft = (value: Sql, reading: QueryContext): Sql =>
  sql`(SELECT ${value} FROM project p WHERE p.id = ${visibleProjectId(reading.within, reading)})`;

/** A column of one answer as the draft has it. */
const ofAnswer =
  (column: keyof typeof draftAnswer) =>
  (reading: QueryContext): Sql =>
    ofDraft(
      sql`(WITH ${openQuestions(drafted('p'), reading.organization)}
        SELECT ${draftAnswer[column]} FROM survey_answer a WHERE a.id = item.id)`,
      reading,
    );

/** The read side of one answer in the draft, with what became of the others: choosing one can close questions. */
export const surveyDraftAnswerProjection = projection({
  name: 'ProjectSurveyDraftAnswer',
  source: (reading) => [
    {
      table: sql.table('survey_answer'),
      where: sql`${builtInOrCustom('item', reading)} AND EXISTS ${visibleProjectId(reading.within, reading)}`,
    },
  ],
  key: { shape: idShape('survey_answer'), column: sql`item.item_id`, order: [sql`item.id`] },
  fields: {
    id: { sql: sql`item.item_id`, schema: draftAnswerFields.id },
    text: { sql: sql`item.text`, schema: draftAnswerFields.text },
    question: { sql: ofAnswer('question'), schema: draftAnswerFields.question },
    selected: { sql: ofAnswer('selected'), schema: draftAnswerFields.selected },
    valid: { sql: ofAnswer('valid'), schema: draftAnswerFields.valid },
    answers: {
      sql: (reading) => ofDraft(draftAnswers('p', reading), reading),
      schema: { ...draftAnswersSchema, description: 'The whole draft.' },
    },
    survey_complete: { ...complete, sql: (reading) => ofDraft(sql`p.survey_complete`, reading) },
    dirty: {
      sql: (reading) => ofDraft(sql`p.survey_dirty`, reading),
      schema: schema.boolean({ description: 'Whether the draft has unsaved changes.' }),
    },
  },
  includes: draftIncludes,
  orderings: {},
  defaultOrdering: 'id',
});
