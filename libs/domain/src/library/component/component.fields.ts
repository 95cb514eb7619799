import type { InputOf } from '../../kernel/fields/field.js';
import { boolean, line, objectList, reference, references, text } from '../../kernel/fields/fields.js';
import { questionnaireEntryFields } from './component-question.fields.js';
import { DEFAULT_ICON } from './component.rules.js';

export const componentFields = {
  title: line({ description: 'Its usual name.', example: 'PostgreSQL database' }),
  description: text({ blank: true, optional: true, description: 'CommonMark.', default: '' }),
  answer_mapping: reference('survey_answer', {
    optional: true,
    nullable: true,
    description: 'The survey answer that adds it to a project.',
    example: 'A64',
  }),
  tasks_implemented: references('countermeasure', {
    optional: true,
    description: 'All countermeasures that it implements. None may also be in tasks_introduced.',
    example: ['T12'],
  }),
  tasks_introduced: references('countermeasure', {
    optional: true,
    description: 'All countermeasures that using it introduces.',
    example: ['T128'],
  }),
  hidden: boolean({ optional: true, default: true, description: 'Whether it is in staging: not active in projects.' }),
  implied_attributes: references('attribute', {
    optional: true,
    description: 'All attributes that it adds to a project. Those of built-in components are read-only.',
    example: ['AT12'],
  }),
  component_questions: objectList('ComponentQuestionBody', questionnaireEntryFields, {
    optional: true,
    description: "All questions of the questionnaire, each once. A question can't depend on itself.",
  }),
  icon_slug: line({
    maximum: 100,
    optional: true,
    default: DEFAULT_ICON,
    description: 'The slug of an icon. The icon of built-in components cannot be changed.',
    example: 'database',
  }),
};

export type ComponentInput = InputOf<typeof componentFields>;
