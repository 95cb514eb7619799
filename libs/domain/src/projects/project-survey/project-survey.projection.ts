import { sql } from 'kysely';
import { jsonList, jsonObject } from '#query/expressions.js';
import type { QueryContext, Sql } from '#query/query-context.js';
import { type Field, projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { idShape, NUMERIC_ID } from '../../kernel/item-id.js';
import { builtInOrCustom } from '../../kernel/built-in.sql.js';
import { visibleProject, visibleProjectId } from '../project-access/project-visibility.js';
import { QUESTION_FORMATS } from '../../library/survey/question.projection.js';
import { draftAnswerIds, openQuestions } from './survey-state.sql.js';

const idAndText = { id: schema.string({ example: 'A12' }), text: schema.string() };

/** The survey in its order. Sections contain the questions of their subsections. */
const sections: Field = {
  sql: (context) => {
    const answers = jsonList(sql`SELECT ${jsonObject({ id: sql`a.item_id`, text: sql`a.text` })} AS entry
      FROM survey_answer a WHERE a.question_id = q.id AND a.is_active AND ${builtInOrCustom('a', context)}
      ORDER BY a.ordinal, a.id`);
    const questions = jsonList(sql`SELECT ${jsonObject({
      id: sql`q.item_id`,
      text: sql`q.text`,
      description: sql`q.description`,
      format: sql`q.format`,
      answers,
    })} AS entry
      FROM survey_question q JOIN survey_subsection s ON s.id = q.subsection_id
      WHERE s.section_id = section.id AND ${builtInOrCustom('q', context)} ORDER BY s.ordinal, s.id, q.ordinal, q.id`);
    return jsonList(sql`
      SELECT ${jsonObject({ id: sql`section.item_id`, title: sql`section.title`, questions })} AS entry
      FROM survey_section section WHERE ${builtInOrCustom('section', context)} ORDER BY section.ordinal, section.id`);
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
          format: schema.string({ enum: QUESTION_FORMATS, description: '`MC` allows several answers, `SC` one.' }),
          answers: schema.list(schema.object(idAndText)),
        }),
      ),
    }),
    { description: 'The survey in order; sections hold the questions of their subsections.' },
  ),
};

const complete: Field = {
  sql: sql`item.survey_complete`,
  schema: schema.boolean({
    description: 'Whether all open questions that require an answer had one when it was saved.',
  }),
};

const commonDefinition = {
  source: (context: QueryContext) => [{ table: sql.table('project'), where: visibleProject('item', context) }],
  key: { shape: NUMERIC_ID, column: sql`item.id`, order: [sql`item.id`], numeric: true },
  orderings: {},
  defaultOrdering: 'id',
} as const;

/** The saved survey of a project. */
export const projectSurveyProjection = projection({
  name: 'ProjectSurvey',
  ...commonDefinition,
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

/** An answer `a` in the draft; requires the common table expressions of `openQuestions`. */
const draftAnswer: Readonly<Record<keyof typeof draftAnswerFields, Sql>> = {
  id: sql`a.item_id`,
  text: sql`a.text`,
  question: sql`(SELECT q.item_id FROM survey_question q WHERE q.id = a.question_id)`,
  selected: isSelected,
  valid: isValid,
};

/** All answers in the draft of a project `p`. */
const draftAnswers = (p: string, context: QueryContext): Sql =>
  sql`(WITH ${openQuestions(draftAnswerIds(p), context.organization)}
    SELECT coalesce(json_agg(${jsonObject(draftAnswer)}
      ORDER BY section.ordinal, section.id, s.ordinal, s.id, q.ordinal, q.id, a.ordinal, a.id), '[]')
    FROM survey_answer a JOIN survey_question q ON q.id = a.question_id
      JOIN survey_subsection s ON s.id = q.subsection_id
    JOIN survey_section section ON section.id = s.section_id
    WHERE ${builtInOrCustom('a', context)} ${
      context.includes.has('hidden')
        ? sql``
        : sql`AND (a.is_active
      OR ${isSelected})`
    })`;

const draftAnswersSchema = schema.list(schema.object(draftAnswerFields));

/** Includes of both the draft and its answers, since each answer shows the entire draft. */
const draftIncludes = { survey: { sections }, hidden: {} };

/** The draft of a project's survey. */
export const surveyDraftProjection = projection({
  name: 'ProjectSurveyDraft',
  ...commonDefinition,
  fields: {
    answers: {
      sql: (context) => draftAnswers('item', context),
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

/** A value from the draft of the project in the path. */
const draftValue = (value: Sql, context: QueryContext): Sql =>
  sql`(SELECT ${value} FROM project p WHERE p.id = ${visibleProjectId(context.within, context)})`;

/** A column of one answer in the draft. */
const draftAnswerColumn =
  (column: keyof typeof draftAnswer) =>
  (context: QueryContext): Sql =>
    draftValue(
      sql`(WITH ${openQuestions(draftAnswerIds('p'), context.organization)}
        SELECT ${draftAnswer[column]} FROM survey_answer a WHERE a.id = item.id)`,
      context,
    );

/** One answer in the draft, together with all others: selecting an answer can close questions. */
export const surveyDraftAnswerProjection = projection({
  name: 'ProjectSurveyDraftAnswer',
  source: (context) => [
    {
      table: sql.table('survey_answer'),
      where: sql`${builtInOrCustom('item', context)} AND EXISTS ${visibleProjectId(context.within, context)}`,
    },
  ],
  key: { shape: idShape('survey_answer'), column: sql`item.item_id`, order: [sql`item.id`] },
  fields: {
    id: { sql: sql`item.item_id`, schema: draftAnswerFields.id },
    text: { sql: sql`item.text`, schema: draftAnswerFields.text },
    question: { sql: draftAnswerColumn('question'), schema: draftAnswerFields.question },
    selected: { sql: draftAnswerColumn('selected'), schema: draftAnswerFields.selected },
    valid: { sql: draftAnswerColumn('valid'), schema: draftAnswerFields.valid },
    answers: {
      sql: (context) => draftValue(draftAnswers('p', context), context),
      schema: { ...draftAnswersSchema, description: 'The whole draft.' },
    },
    survey_complete: { ...complete, sql: (context) => draftValue(sql`p.survey_complete`, context) },
    dirty: {
      sql: (context) => draftValue(sql`p.survey_dirty`, context),
      schema: schema.boolean({ description: 'Whether the draft has unsaved changes.' }),
    },
  },
  includes: draftIncludes,
  orderings: {},
  defaultOrdering: 'id',
});
