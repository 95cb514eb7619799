import { sql } from 'kysely';
import * as filters from '#query/filters.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { idShape } from '../item-id.js';
import { CONTENT_TYPES } from './workflow-prompt.rules.js';
import { promptInView } from './workflow-prompt.sql.js';

const idOrder = [sql`item.number`];

/** The read side of a prompt's contexts, within their prompt. */
export const workflowPromptContextProjection = projection({
  name: 'WorkflowPromptContext',
  source: ({ within, organization }) => [
    {
      table: sql.table('workflow_prompt_context'),
      where: sql`item.prompt_id = (${promptInView(within, organization)})`,
    },
  ],
  key: { shape: idShape('workflow_prompt_context'), column: sql`item.number`, order: idOrder, numeric: true },
  fields: {
    id: { sql: sql`item.number`, schema: schema.integer({ example: 1 }) },
    name: { sql: sql`item.name`, schema: schema.string({ example: 'House rules' }) },
    content_type: {
      sql: sql`item.content_type`,
      schema: schema.string({ enum: CONTENT_TYPES, description: 'What it brings to the prompt.' }),
    },
    reference: {
      sql: sql`item.reference`,
      schema: schema.string({ description: 'Id of the library item or project; empty where none is named.' }),
    },
    text: { sql: sql`item.text`, schema: schema.markdown({ description: 'CommonMark, or HTML with `to_html=true`.' }) },
    ordinal: { sql: sql`item.ordinal`, schema: schema.integer({ description: 'Place in the order of contexts.' }) },
    active: { sql: sql`item.active`, schema: schema.boolean() },
  },
  filters: {
    id: filters.integer(sql`item.number`, 'Its id.'),
    name: filters.text(sql`item.name`, 'Its name.'),
    content_type: filters.choice(sql`item.content_type`, 'What it brings.', CONTENT_TYPES),
    reference: filters.text(sql`item.reference`, 'What it refers to.'),
    ordinal: filters.integer(sql`item.ordinal`, 'Its place.'),
    active: filters.boolean(sql`item.active`, 'Whether it is in use.'),
  },
  orderings: {
    id: idOrder,
    name: [sql`lower(item.name)`],
    content_type: [sql`item.content_type`],
    ordinal: [sql`item.ordinal`],
    active: [sql`item.active`],
  },
  defaultOrdering: 'ordinal',
  search: { text: sql`item.name || E'\\n' || item.text`, fields: ['name', 'text'] },
  switches: ['to_html'],
});
