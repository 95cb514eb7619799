import { sql } from 'kysely';
import { column } from '#query/column.js';
import { timestampField } from '#query/expressions.js';
import * as filters from '#query/filters.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { idShape } from '../../kernel/item-id.js';
import { userFilter, userReference } from '../../access/user/user-reference.js';
import { PROMPT_TYPES } from './workflow-prompt.rules.js';
import { contextsField } from './workflow-prompt-context.projection.js';
import { promptsInView } from './workflow-prompt.sql.js';
import { editor, times } from '../../access/user/authorship.projection.js';

const idOrder = [sql`item.number`];

export const workflowPromptProjection = projection({
  name: 'WorkflowPrompt',
  source: promptsInView,
  key: { shape: idShape('workflow_prompt'), column: sql`item.number`, order: idOrder, numeric: true },
  fields: {
    id: { sql: sql`item.number`, schema: schema.integer({ example: 1 }) },
    title: column(schema.string({ example: 'Explain a countermeasure' }), { filter: 'Its title.', sortable: true }),
    type: column(schema.string({ enum: PROMPT_TYPES, description: 'The feature that it is for.' }), {
      filter: true,
      sortable: true,
    }),
    prompt: column(schema.string({ description: 'Its text. `{{name}}` is replaced by a variable.' })),
    variables: {
      sql: sql`to_json(item.variables)`,
      schema: schema.list(schema.string({ example: 'countermeasure' }), { description: 'The names that it may use.' }),
    },
    active: column(schema.boolean(), { filter: 'Whether it is in use.', sortable: true }),
    created: timestampField(sql`item.created_at`, 'When it was created.'),
    updated: timestampField(sql`item.updated_at`, 'When it, or one of its contexts, was last changed.'),
    created_by: userReference(sql`item.created_by`, 'Who created it.'),
    last_updated_by: editor.field,
  },
  includes: { contexts: { contexts: contextsField } },
  filters: {
    id: filters.integer(sql`item.number`, 'Its id.'),
    ...times.filters,
    created_by: userFilter(sql`item.created_by`, 'The user who created it; 0 for built-in content.'),
    last_updated_by: editor.filter,
  },
  orderings: {
    id: idOrder,
    ...times.orderings,
    last_updated_by: editor.order,
  },
  defaultOrdering: 'id',
  switches: ['to_html'],
  search: { text: sql`item.title || E'\\n' || item.prompt`, fields: ['title', 'prompt'] },
});
