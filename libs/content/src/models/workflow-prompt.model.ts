import { boolean, integer, json, list, text, timestamp } from './columns.js';
import { modelWithoutRows } from './content-model.js';

export const workflowPromptModel = modelWithoutRows({
  name: 'workflow_prompt',
  title: 'Workflow prompts',
  columns: {
    id: integer(''),
    title: text(''),
    type: text('`survey`, `countermeasure`, `weakness`, `threat` or `report`.'),
    prompt: text('With `{{placeholders}}`.', { long: true }),
    variables: list('The placeholders.'),
    active: boolean(''),
    created: timestamp('When it was made.', { readOnly: true }),
    updated: timestamp('When it was last changed.', { readOnly: true }),
    created_by: json('Who made it.', { readOnly: true }),
    last_updated_by: json('Who changed it last.', { readOnly: true }),
    contexts: json('What it is about: `name`, `content_type`, `reference`, `text`, `ordinal`, `active`.'),
  },
});
