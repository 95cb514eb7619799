import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { textArray } from '../../kernel/text-array.js';
import type { ContentType, PromptType } from './workflow-prompt.rules.js';

/** A prompt as one organization has it, or as it ships (without an organization). Times are set by SQL alone. */
export const WorkflowPrompt = defineEntity({
  name: 'WorkflowPrompt',
  tableName: 'workflow_prompt',
  properties: {
    id: p.bigint('number').primary(),
    organizationId: p.bigint('number').nullable(),
    number: p.integer(),
    title: p.text(),
    type: p.text().$type<PromptType>(),
    prompt: p.text(),
    variables: textArray(),
    active: p.boolean(),
    createdBy: p.bigint('number').nullable(),
    updatedBy: p.bigint('number').nullable(),
    updatedAt: p.datetime().defaultRaw('statement_timestamp()').lazy(),
  },
});

export type WorkflowPrompt = InferEntity<typeof WorkflowPrompt>;

/** Something that goes to the model beside the prompt. */
export const WorkflowPromptContext = defineEntity({
  name: 'WorkflowPromptContext',
  tableName: 'workflow_prompt_context',
  properties: {
    id: p.bigint('number').primary(),
    organizationId: p.bigint('number').nullable(),
    number: p.integer(),
    promptId: p.bigint('number'),
    name: p.text(),
    contentType: p.text().$type<ContentType>(),
    reference: p.text(),
    text: p.text(),
    ordinal: p.integer(),
    active: p.boolean(),
  },
});

export type WorkflowPromptContext = InferEntity<typeof WorkflowPromptContext>;
