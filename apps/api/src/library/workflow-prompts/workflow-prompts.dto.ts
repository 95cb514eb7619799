import {
  CONTENT_TYPES,
  type ContentType,
  CONTEXT_ORDINAL,
  PROMPT_TYPES,
  type PromptType,
  VARIABLE_MAXIMUM_LENGTH,
} from '#domain/library/workflow-prompt/workflow-prompt.rules.js';
import {
  BooleanField,
  Changes,
  ChoiceField,
  IntegerField,
  StringField,
  StringListField,
  Text,
} from '../../http/body/fields.js';

export class CreateWorkflowPrompt {
  @StringField({ example: 'Explain a countermeasure' })
  title!: string;

  @ChoiceField({ choices: PROMPT_TYPES, description: 'What it is made for.', example: 'countermeasure' })
  type!: PromptType;

  @Text({
    description: 'Its text; `{{name}}` is where a variable goes. Every name must be in `variables`.',
    example: 'Explain {{countermeasure}} to a developer who knows {{language}}.',
  })
  prompt!: string;

  @StringListField({
    maximum: VARIABLE_MAXIMUM_LENGTH,
    optional: true,
    default: [],
    description: 'The names that the prompt may use.',
    example: ['countermeasure', 'language'],
  })
  variables?: string[];

  @BooleanField({ optional: true, default: true })
  active?: boolean;
}

export class ChangeWorkflowPrompt extends Changes(CreateWorkflowPrompt) {}

export class CreateWorkflowPromptContext {
  @StringField({ example: 'House rules' })
  name!: string;

  @ChoiceField({ choices: CONTENT_TYPES, description: 'What it brings to the prompt.', example: 'text' })
  content_type!: ContentType;

  @StringField({
    blank: true,
    optional: true,
    default: '',
    description: 'Id of the project, or of the library item, which must exist.',
    example: 'T21',
  })
  reference?: string;

  @Text({ blank: true, optional: true, default: '', description: 'CommonMark.' })
  text?: string;

  @IntegerField({
    ...CONTEXT_ORDINAL,
    optional: true,
    description: 'Place in the order of contexts; by default behind all others.',
    example: 1,
  })
  ordinal?: number;

  @BooleanField({ optional: true, default: true })
  active?: boolean;
}

export class ChangeWorkflowPromptContext extends Changes(CreateWorkflowPromptContext) {}
