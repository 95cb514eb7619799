import type { InputOf } from '../../kernel/fields/field.js';
import { boolean, choice, integer, line, objectList, stringList, text } from '../../kernel/fields/fields.js';
import { CONTEXT_ORDINAL, CONTENT_TYPES, PROMPT_TYPES } from './workflow-prompt.rules.js';

export const workflowPromptFields = {
  title: line({ example: 'Explain a countermeasure' }),
  type: choice(PROMPT_TYPES, { description: 'The feature that it is for.', example: 'countermeasure' }),
  prompt: text({
    description: 'Its text. `{{name}}` is replaced by a variable, which must be in `variables`.',
    example: 'Explain {{countermeasure}} to a developer who knows {{language}}.',
  }),
  variables: stringList({
    maximum: 100,
    optional: true,
    default: [],
    description: 'The names that the prompt may use.',
    example: ['countermeasure', 'language'],
  }),
  active: boolean({ optional: true, default: true }),
};

export const workflowPromptContextFields = {
  name: line({ example: 'House rules' }),
  content_type: choice(CONTENT_TYPES, {
    description: 'The type of content that it adds to the prompt.',
    example: 'text',
  }),
  reference: line({
    blank: true,
    optional: true,
    default: '',
    description: 'Id of the project, or of the library item, which must exist.',
    example: 'T21',
  }),
  text: text({ blank: true, optional: true, default: '', description: 'CommonMark.' }),
  ordinal: integer({
    ...CONTEXT_ORDINAL,
    optional: true,
    description: 'Position in the order of contexts; last by default.',
    example: 1,
  }),
  active: boolean({ optional: true, default: true }),
};

export type WorkflowPromptInput = InputOf<typeof workflowPromptFields>;

export type WorkflowPromptContextInput = InputOf<typeof workflowPromptContextFields>;

/** A context within a prompt in a file, with the number of the existing context that it changes, if any. */
export const contextFileFields = { id: integer({ optional: true, nullable: true }), ...workflowPromptContextFields };

/** The fields in exchange files, with contexts. */
export const workflowPromptFileFields = {
  ...workflowPromptFields,
  contexts: objectList('WorkflowPromptContext', contextFileFields, { optional: true }),
};

export type ContextOfFile = InputOf<typeof contextFileFields> & {
  /** A number that is already allocated for it. */
  readonly number?: number | undefined;
};
