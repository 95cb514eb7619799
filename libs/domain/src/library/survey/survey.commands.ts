import { type FieldsOfFile, itemCommand } from '../item-batch/write-items.js';

/** Makes and changes custom sections of the survey. */
export const writeSections = itemCommand<FieldsOfFile>({
  table: { kind: 'survey_section', customizable: false, columns: { title: 'text', ordinal: 'integer' } },
  places: {},
});

/** Makes and changes custom subsections of the survey. */
export const writeSubsections = itemCommand<FieldsOfFile>({
  table: {
    kind: 'survey_subsection',
    customizable: false,
    columns: { section_id: 'bigint', title: 'text', ordinal: 'integer' },
  },
  references: { section: { kind: 'survey_section', column: 'section_id' } },
  places: { within: 'section_id' },
});

/** Makes and changes custom questions of the survey. */
export const writeQuestions = itemCommand<FieldsOfFile>({
  table: {
    kind: 'survey_question',
    customizable: false,
    columns: {
      subsection_id: 'bigint',
      text: 'text',
      description: 'text',
      format: 'text',
      depends_on: 'bigint[]',
      ordinal: 'integer',
    },
  },
  title: 'text',
  references: {
    subsection: { kind: 'survey_subsection', column: 'subsection_id' },
    depends_on: { kind: 'survey_answer', column: 'depends_on' },
  },
  places: { within: 'subsection_id' },
  defaults: () => ({ text: '', description: '', depends_on: [] }),
});

/** Makes and changes custom headings among answers. */
export const writeSubquestions = itemCommand<FieldsOfFile>({
  table: {
    kind: 'survey_subquestion',
    customizable: false,
    columns: { question_id: 'bigint', text: 'text', ordinal: 'integer' },
  },
  title: 'text',
  references: { question: { kind: 'survey_question', column: 'question_id' } },
  places: { within: 'question_id' },
  defaults: () => ({ text: '' }),
});

/** Makes and changes custom answers of the survey. */
export const writeAnswers = itemCommand<FieldsOfFile>({
  table: {
    kind: 'survey_answer',
    customizable: false,
    columns: {
      question_id: 'bigint',
      subquestion_id: 'bigint',
      text: 'text',
      description: 'text',
      display_text: 'text',
      is_active: 'boolean',
      attributes: 'bigint[]',
      ordinal: 'integer',
    },
  },
  title: 'text',
  references: {
    question: { kind: 'survey_question', column: 'question_id' },
    subquestion: { kind: 'survey_subquestion', column: 'subquestion_id' },
    attributes: { kind: 'attribute', column: 'attributes' },
  },
  places: { within: 'question_id' },
  defaults: () => ({
    text: '',
    description: '',
    display_text: '',
    is_active: true,
    subquestion_id: null,
    attributes: [],
  }),
  resolve: (_em, _actor, rows) =>
    rows.map(({ input: { is_active: active, ...others } }) => ({
      reported: { ...others, ...(active !== undefined && { active: active === true }) },
    })),
});
