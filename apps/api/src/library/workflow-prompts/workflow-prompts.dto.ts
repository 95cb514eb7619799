import {
  CONTENT_TYPES,
  type ContentType,
  CONTEXT_ORDINAL,
  PROMPT_TYPES,
  type PromptType,
  VARIABLE_MAXIMUM_LENGTH,
} from '#domain/library/workflow-prompt/workflow-prompt.rules.js';
import { Bool, Changes, Choice, Integer, Line, Lines, Text } from '../../http/body/fields.js';

export class CreateWorkflowPrompt {
  @Line({ example: 'Explain a countermeasure' })
  title!: string;

  @Choice({ choices: PROMPT_TYPES, description: 'What it is made for.', example: 'countermeasure' })
  type!: PromptType;

  @Text({
    description: 'Its text; `{{name}}` is where a variable goes. Every name must be in `variables`.',
    example: 'Explain {{countermeasure}} to a developer who knows {{language}}.',
  })
  prompt!: string;

  @Lines({
    maximum: VARIABLE_MAXIMUM_LENGTH,
    optional: true,
    default: [],
    description: 'The names that the prompt may use.',
    example: ['countermeasure', 'language'],
  })
  variables?: string[];

  @Bool({ optional: true, default: true })
  active?: boolean;
}

export class ChangeWorkflowPrompt extends Changes(CreateWorkflowPrompt) {}

export class CreateWorkflowPromptContext {
  @Line({ example: 'House rules' })
  name!: string;

  @Choice({ choices: CONTENT_TYPES, description: 'What it brings to the prompt.', example: 'text' })
  content_type!: ContentType;

  @Line({
    blank: true,
    optional: true,
    default: '',
    description: 'Id of the project, or of the library item, which must exist.',
    example: 'T21',
  })
  reference?: string;

  @Text({ blank: true, optional: true, default: '', description: 'CommonMark.' })
  text?: string;

  @Integer({
    ...CONTEXT_ORDINAL,
    optional: true,
    description: 'Place in the order of contexts; by default behind all others.',
    example: 1,
  })
  ordinal?: number;

  @Bool({ optional: true, default: true })
  active?: boolean;
}

export class ChangeWorkflowPromptContext extends Changes(CreateWorkflowPromptContext) {}
