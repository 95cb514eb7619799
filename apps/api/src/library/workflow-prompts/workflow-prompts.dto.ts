import {
  workflowPromptContextFields,
  workflowPromptFields,
} from '#domain/library/workflow-prompt/workflow-prompt.fields.js';
import { BodyOf, Changes } from '../../http/body/body-of.js';

export class CreateWorkflowPrompt extends BodyOf(workflowPromptFields) {}

export class ChangeWorkflowPrompt extends Changes(CreateWorkflowPrompt) {}

export class CreateWorkflowPromptContext extends BodyOf(workflowPromptContextFields) {}

export class ChangeWorkflowPromptContext extends Changes(CreateWorkflowPromptContext) {}
