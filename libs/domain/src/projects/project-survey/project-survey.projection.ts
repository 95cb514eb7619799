import { sql } from 'kysely';
import { column } from '#query/column.js';
import { jsonList, jsonObject } from '#query/expressions.js';
import type { QueryContext, Sql } from '#query/query-context.js';
import { type Field, projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { idShape, NUMERIC_ID } from '../../kernel/item-id.js';
import { builtInOrCustom } from '../../kernel/built-in.sql.js';
import { visibleProject, visibleProjectId } from '../project-access/project-visibility.js';
import { QUESTION_FORMATS } from '../../library/survey/question.projection.js';
import { ANSWER_STATES } from './survey-state.rules.js';
import {
  draftNone,
  draftStates,
  givenStates,
  isAnswered,
  openQuestions,
  savedStates,
  stateOfAnswer,
} from './survey-state.sql.js';

const idAndText = { id: schema.string({ example: 'A12' }), text: schema.string() };

const stateSchema = schema.string({
  enum: ANSWER_STATES,
  description:
    '`chosen`, `rejected` (someone said no, also by "None of these"), or `unanswered`. A selected answer is ' +
    '`unanswered` while it is only a suggestion of a profile or of another project.',
});

const answeredSchema = schema.boolean({
  description: 'Whether an answer is chosen, or the question is answered with "None of these".',
});

const noneSchema = schema.boolean({ description: 'Whether it is answered with "None of these".' });

/** What a survey says: the states of answers, and the questions that are answered with "None of these". */
interface SurveyState {
  readonly states: Sql;
  readonly none: Sql;
}

const savedSurvey = (p: string): SurveyState => ({ states: savedStates(p), none: sql.ref(`${p}.none_questions`) });
const draftSurvey = (p: string): SurveyState => ({ states: draftStates(p), none: draftNone(p) });

/** Whether a survey asks the question `q`: it can be answered. A release can leave a question without answers. */
const isAsked = (context: QueryContext): Sql =>
  sql`(${builtInOrCustom('q', context)} AND EXISTS (
    SELECT 1 FROM survey_answer a WHERE a.question_id = q.id AND a.is_active AND ${builtInOrCustom('a', context)}))`;

/** The survey in its order. Sections contain the questions of their subsections. */
const sectionsOf = ({ states, none }: SurveyState, context: QueryContext): Sql => {
  const answers = jsonList(sql`SELECT ${jsonObject({
    id: sql`a.item_id`,
    text: sql`a.text`,
    state: stateOfAnswer(none),
  })} AS entry
    FROM survey_answer a LEFT JOIN given ON given.answer_id = a.id
    WHERE a.question_id = q.id AND a.is_active AND ${builtInOrCustom('a', context)}
    ORDER BY a.ordinal, a.id`);
  const asked = sql`FROM survey_question q JOIN survey_subsection s ON s.id = q.subsection_id
    WHERE s.section_id = section.id AND ${isAsked(context)}`;
  const questions = jsonList(
    sql`SELECT ${jsonObject({
      id: sql`q.item_id`,
      text: sql`q.text`,
      description: sql`q.description`,
      format: sql`q.format`,
      answered: isAnswered(none),
      none: sql`q.id = ANY(${none})`,
      answers,
    })} AS entry ${asked} ORDER BY s.ordinal, s.id, q.ordinal, q.id`,
  );
  return sql`(WITH ${givenStates(states)} SELECT ${jsonList(sql`
    SELECT ${jsonObject({ id: sql`section.item_id`, title: sql`section.title`, questions })} AS entry
    FROM survey_section section WHERE ${builtInOrCustom('section', context)} AND EXISTS (SELECT 1 ${asked})
    ORDER BY section.ordinal, section.id`)})`;
};

const sectionsSchema = schema.list(
  schema.object({
    id: schema.string({ example: 'S1' }),
    title: schema.string(),
    questions: schema.list(
      schema.object({
        id: schema.string({ example: 'Q4' }),
        text: schema.string(),
        description: schema.string(),
        format: schema.string({ enum: QUESTION_FORMATS, description: '`MC` allows several answers, `SC` one.' }),
        answered: answeredSchema,
        none: noneSchema,
        answers: schema.list(schema.object({ ...idAndText, state: stateSchema })),
      }),
    ),
  }),
  { description: 'The survey in order; sections hold the questions of their subsections.' },
);

const complete: Field = {
  sql: sql`item.survey_complete`,
  schema: schema.boolean({
    description: 'Whether every relevant question was answered when it was saved.',
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
        WHERE saved.project_id = item.id AND saved.state <> 'rejected'
        ORDER BY a.organization_id NULLS FIRST, a.number`),
      schema: schema.list(schema.string({ example: 'A12' }), { description: 'Ids of the answers that are selected.' }),
    },
    survey_complete: complete,
    sections: { sql: (context) => sectionsOf(savedSurvey('item'), context), schema: sectionsSchema },
  },
});

const draftAnswerFields = {
  ...idAndText,
  question: schema.string({ example: 'Q4' }),
  selected: schema.boolean({
    description: 'Whether the content of the project follows it: it is chosen, or suggested.',
  }),
  state: stateSchema,
  valid: schema.boolean({
    description:
      'Whether its question is open. A selected answer that is not valid is dropped when the draft is saved.',
  }),
};

const isSelected = sql`(coalesce(given.state, 'rejected') <> 'rejected')`;
const isValid = sql`(a.is_active AND a.question_id IN (SELECT id FROM open_question))`;

/** An answer `a` in the draft of a project `p`; requires `openQuestions` and a left join of `given`. */
const draftAnswer = (p: string): Readonly<Record<keyof typeof draftAnswerFields, Sql>> => ({
  id: sql`a.item_id`,
  text: sql`a.text`,
  question: sql`(SELECT q.item_id FROM survey_question q WHERE q.id = a.question_id)`,
  selected: isSelected,
  state: stateOfAnswer(draftNone(p)),
  valid: isValid,
});

/** All answers in the draft of a project `p`. */
const draftAnswers = (p: string, context: QueryContext): Sql =>
  sql`(WITH ${openQuestions(draftStates(p), context.organization)}
    SELECT coalesce(json_agg(${jsonObject(draftAnswer(p))}
      ORDER BY section.ordinal, section.id, s.ordinal, s.id, q.ordinal, q.id, a.ordinal, a.id), '[]')
    FROM survey_answer a LEFT JOIN given ON given.answer_id = a.id JOIN survey_question q ON q.id = a.question_id
      JOIN survey_subsection s ON s.id = q.subsection_id
    JOIN survey_section section ON section.id = s.section_id
    WHERE ${builtInOrCustom('a', context)} ${
      context.includes.has('hidden')
        ? sql``
        : sql`AND (a.is_active
      OR ${isSelected})`
    })`;

/** Which questions the draft of a project `p` answers. */
const draftQuestions = (p: string, context: QueryContext): Sql =>
  sql`(WITH ${givenStates(draftStates(p))}
    SELECT coalesce(json_agg(${jsonObject({
      id: sql`q.item_id`,
      answered: isAnswered(draftNone(p)),
      none: sql`q.id = ANY(${draftNone(p)})`,
    })} ORDER BY section.ordinal, section.id, s.ordinal, s.id, q.ordinal, q.id), '[]')
    FROM survey_question q JOIN survey_subsection s ON s.id = q.subsection_id
    JOIN survey_section section ON section.id = s.section_id WHERE ${isAsked(context)})`;

const draftQuestionsSchema = schema.list(
  schema.object({ id: schema.string({ example: 'Q4' }), answered: answeredSchema, none: noneSchema }),
  { description: 'Which questions are answered, in the order of the survey.' },
);

const draftAnswersSchema = schema.list(schema.object(draftAnswerFields));

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
    questions: { sql: (context) => draftQuestions('item', context), schema: draftQuestionsSchema },
    survey_complete: complete,
    dirty: {
      sql: sql`item.survey_dirty`,
      schema: schema.boolean({ description: 'Whether it has unsaved changes.' }),
    },
  },
  includes: {
    survey: {
      sections: { sql: (context) => sectionsOf(draftSurvey('item'), context), schema: sectionsSchema },
    },
    hidden: {},
  },
});

/** A value from the draft of the project in the path. */
const draftValue = (value: Sql, context: QueryContext): Sql =>
  sql`(SELECT ${value} FROM project p WHERE p.id = ${visibleProjectId(context.within, context)})`;

/** A column of one answer in the draft. */
const draftAnswerColumn =
  (column: keyof typeof draftAnswerFields) =>
  (context: QueryContext): Sql =>
    draftValue(
      sql`(WITH ${openQuestions(draftStates('p'), context.organization)}
        SELECT ${draftAnswer('p')[column]} FROM survey_answer a LEFT JOIN given ON given.answer_id = a.id
        WHERE a.id = item.id)`,
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
    text: column(draftAnswerFields.text),
    question: { sql: draftAnswerColumn('question'), schema: draftAnswerFields.question },
    selected: { sql: draftAnswerColumn('selected'), schema: draftAnswerFields.selected },
    state: { sql: draftAnswerColumn('state'), schema: draftAnswerFields.state },
    valid: { sql: draftAnswerColumn('valid'), schema: draftAnswerFields.valid },
    answers: {
      sql: (context) => draftValue(draftAnswers('p', context), context),
      schema: { ...draftAnswersSchema, description: 'The whole draft.' },
    },
    questions: {
      sql: (context) => draftValue(draftQuestions('p', context), context),
      schema: draftQuestionsSchema,
    },
    survey_complete: { ...complete, sql: (context) => draftValue(sql`p.survey_complete`, context) },
    dirty: {
      sql: (context) => draftValue(sql`p.survey_dirty`, context),
      schema: schema.boolean({ description: 'Whether the draft has unsaved changes.' }),
    },
  },
  includes: {
    survey: {
      sections: {
        sql: (context) => draftValue(sectionsOf(draftSurvey('p'), context), context),
        schema: sectionsSchema,
      },
    },
    hidden: {},
  },
  orderings: {},
  defaultOrdering: 'id',
});
