import { sql } from 'kysely';
import { jsonList, jsonObject } from '#query/expressions.js';
import * as filters from '#query/filters.js';
import type { Sql } from '#query/query-context.js';
import { type Field, projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { idShape } from '../../kernel/item-id.js';
import { CONTENT_TYPES } from './workflow-prompt.rules.js';
import { promptInView } from './workflow-prompt.sql.js';

const idOrder = [sql`item.number`];

const fieldsOf = (alias: string) => {
  const column = (name: string): Sql => sql.ref(`${alias}.${name}`);
  return {
    id: { sql: column('number'), schema: schema.integer({ example: 1 }) },
    name: { sql: column('name'), schema: schema.string({ example: 'House rules' }) },
    content_type: {
      sql: column('content_type'),
      schema: schema.string({ enum: CONTENT_TYPES, description: 'The type of content that it adds to the prompt.' }),
    },
    reference: {
      sql: column('reference'),
      schema: schema.string({ description: 'Id of the library item or project; empty if there is none.' }),
    },
    text: {
      sql: column('text'),
      schema: schema.markdown({ description: 'CommonMark, or HTML with `to_html=true`.' }),
    },
    ordinal: { sql: column('ordinal'), schema: schema.integer({ description: 'Position in the order of contexts.' }) },
    active: { sql: column('active'), schema: schema.boolean() },
  };
};

const ofPrompt = Object.entries(fieldsOf('c'));
const contextColumns = Object.fromEntries(ofPrompt.map(([name, field]) => [name, field.sql]));

/** The contexts of a row of `workflow_prompt`, in order, for includes. */
export const contextsField: Field = {
  sql: jsonList(sql`SELECT ${jsonObject(contextColumns)} AS entry
    FROM workflow_prompt_context c WHERE c.prompt_id = item.id ORDER BY c.ordinal, c.number`),
  schema: schema.list(schema.object(Object.fromEntries(ofPrompt.map(([name, field]) => [name, field.schema]))), {
    description: 'Its contexts, in order.',
  }),
};

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
  fields: fieldsOf('item'),
  filters: {
    id: filters.integer(sql`item.number`, 'Its id.'),
    name: filters.text(sql`item.name`, 'Its name.'),
    content_type: filters.choice(sql`item.content_type`, 'The type of content that it adds.', CONTENT_TYPES),
    reference: filters.text(sql`item.reference`, 'What it refers to.'),
    ordinal: filters.integer(sql`item.ordinal`, 'Its position.'),
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
