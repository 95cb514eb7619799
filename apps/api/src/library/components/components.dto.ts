import { DEFAULT_ICON, ICON_SLUG_MAXIMUM_LENGTH } from '#domain/library/component/component.rules.js';
import {
  BooleanField,
  Changes,
  StringField,
  ObjectListField,
  Reference,
  References,
  Text,
} from '../../http/body/fields.js';

export class ComponentQuestionBody {
  @Reference('component_question', { description: 'A question, once in a questionnaire.', example: 'AQ1' })
  question!: string;

  @Reference('component_answer', {
    optional: true,
    nullable: true,
    description: 'The answer to another question of the questionnaire that opens this one; null: always asked.',
    example: 'AA2',
  })
  parent_answer?: string | null;
}

export class CreateComponent {
  @StringField({ description: 'What people call it.', example: 'PostgreSQL database' })
  title!: string;

  @Text({ blank: true, optional: true, description: 'CommonMark.', default: '' })
  description?: string;

  @Reference('survey_answer', {
    optional: true,
    nullable: true,
    description: 'The answer of the survey that brings it into a project.',
    example: 'A64',
  })
  answer_mapping?: string | null;

  @References('countermeasure', {
    optional: true,
    description: 'All countermeasures that it implements. None may be in tasks_introduced too.',
    example: ['T12'],
  })
  tasks_implemented?: string[];

  @References('countermeasure', {
    optional: true,
    description: 'All countermeasures that using it requires.',
    example: ['T128'],
  })
  tasks_introduced?: string[];

  @BooleanField({ optional: true, default: true, description: 'Whether it is in staging: not active in projects.' })
  hidden?: boolean;

  @References('attribute', {
    optional: true,
    description: 'All attributes that it adds to a project. Those of built-in components are read-only.',
    example: ['AT12'],
  })
  implied_attributes?: string[];

  @ObjectListField(() => ComponentQuestionBody, {
    optional: true,
    description: 'The whole questionnaire: no question twice, and none that waits for itself.',
  })
  component_questions?: ComponentQuestionBody[];

  @StringField({
    maximum: ICON_SLUG_MAXIMUM_LENGTH,
    optional: true,
    default: DEFAULT_ICON,
    description: 'The slug of an icon. The icon of built-in components can not be changed.',
    example: 'database',
  })
  icon_slug?: string;
}

export class ChangeComponent extends Changes(CreateComponent) {}
