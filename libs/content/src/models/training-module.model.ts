import { sql } from 'kysely';
import { identityOrder, builtInAndCustom, builtInOrCustom } from '#domain/kernel/built-in.sql.js';
import { jsonList } from '#query/expressions.js';
import { boolean, list, text } from './columns.js';
import { modelOfColumns } from './content-model.js';

export const trainingModuleModel = modelOfColumns({
  name: 'training_module',
  title: 'Training modules',
  source: builtInAndCustom('training_module'),
  order: identityOrder,
  columns: {
    id: { ...text('Such as `CTM1`.'), sql: sql`item.item_id` },
    title: { ...text('', { bounds: { required: true } }), sql: sql`item.title` },
    description: { ...text('', { long: true }), sql: sql`item.description` },
    url: { ...text('Where the training is.'), sql: sql`item.url` },
    active: { ...boolean(''), sql: sql`item.active` },
    countermeasures: {
      ...list('Ids of the countermeasures that it teaches.', { references: 'standard', bounds: { unordered: true } }),
      sql: (reading) =>
        jsonList(sql`SELECT c.item_id AS entry FROM training_module_countermeasure n
          JOIN countermeasure c ON c.id = n.countermeasure_id AND ${builtInOrCustom('c', reading)}
          WHERE n.training_module_id = item.id ORDER BY c.organization_id IS NOT NULL, c.number`),
    },
  },
});
