import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { createdAt, key, references, textList, updatedAt } from '../../kernel/schema/columns.js';
import { ownAndBuiltInRows } from '../../kernel/schema/policies.js';
import { itemIndex, numberedProperties } from '../../kernel/item.entity.js';
import { CONTENT_TYPES, PROMPT_TYPES } from './workflow-prompt.rules.js';

/**
 * A prompt in the version of one organization, or the built-in original (without an organization). Numbers below 1,000
 * are for built-in prompts.
 */
export const WorkflowPrompt = defineEntity({
  name: 'WorkflowPrompt',
  tableName: 'workflow_prompt',
  ...ownAndBuiltInRows(),
  properties: {
    id: key(),
    ...numberedProperties,
    title: p.text(),
    type: p.enum(PROMPT_TYPES),
    prompt: p.text(),
    variables: textList(),
    active: p.boolean().default(true),
    createdAt: createdAt(),
    createdBy: references('user_account').nullable(),
    updatedAt: updatedAt(),
    updatedBy: references('user_account').nullable(),
  },
  indexes: [itemIndex('workflow_prompt')],
});

export type WorkflowPrompt = InferEntity<typeof WorkflowPrompt>;

/** Additional input for the model. */
export const WorkflowPromptContext = defineEntity({
  name: 'WorkflowPromptContext',
  tableName: 'workflow_prompt_context',
  ...ownAndBuiltInRows(),
  properties: {
    id: key(),
    ...numberedProperties,
    promptId: references('workflow_prompt', { onDelete: 'cascade' }),
    name: p.text(),
    contentType: p.enum(CONTENT_TYPES),
    reference: p.text().default(''),
    text: p.text().default(''),
    ordinal: p.integer(),
    active: p.boolean().default(true),
  },
  indexes: [
    itemIndex('workflow_prompt_context'),
    { name: 'workflow_prompt_context_prompt', properties: ['promptId', 'ordinal'] },
  ],
});

export type WorkflowPromptContext = InferEntity<typeof WorkflowPromptContext>;
