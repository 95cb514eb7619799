import type { InputOf } from '../../kernel/fields/field.js';
import { itemCommand } from '../item-batch/write-items.js';
import { SurveyAnswer, SurveyQuestion, SurveySection, SurveySubquestion, SurveySubsection } from './survey.entity.js';
import type {
  answerFields,
  questionFields,
  sectionFields,
  subquestionFields,
  subsectionFields,
} from './survey.fields.js';

export const writeSections = itemCommand<InputOf<typeof sectionFields>>({
  table: { kind: 'survey_section', entity: SurveySection },
  places: {},
});

export const writeSubsections = itemCommand<InputOf<typeof subsectionFields>>({
  table: {
    kind: 'survey_subsection',
    entity: SurveySubsection,
  },
  references: { section: { kind: 'survey_section', column: 'section_id' } },
  places: { within: 'section_id' },
});

export const writeQuestions = itemCommand<InputOf<typeof questionFields>>({
  table: {
    kind: 'survey_question',
    entity: SurveyQuestion,
  },
  title: 'text',
  references: {
    subsection: { kind: 'survey_subsection', column: 'subsection_id' },
    depends_on: { kind: 'survey_answer', column: 'depends_on' },
  },
  places: { within: 'subsection_id' },
});

export const writeSubquestions = itemCommand<InputOf<typeof subquestionFields>>({
  table: {
    kind: 'survey_subquestion',
    entity: SurveySubquestion,
  },
  title: 'text',
  references: { question: { kind: 'survey_question', column: 'question_id' } },
  places: { within: 'question_id' },
});

export const writeAnswers = itemCommand<InputOf<typeof answerFields>>({
  table: {
    kind: 'survey_answer',
    entity: SurveyAnswer,
  },
  title: 'text',
  references: {
    question: { kind: 'survey_question', column: 'question_id' },
    subquestion: { kind: 'survey_subquestion', column: 'subquestion_id' },
    attributes: { kind: 'attribute', column: 'attributes' },
  },
  places: { within: 'question_id' },
});
