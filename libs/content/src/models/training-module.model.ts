import { sql } from 'kysely';
import { builtInAndCustom, builtInOrCustom, identityOrder } from '#domain/kernel/built-in.sql.js';
import { trainingModuleFields } from '#domain/library/training-module/training-module.commands.js';
import { jsonList } from '#query/expressions.js';
import { modelOf, idField } from './content-model.js';

export const trainingModuleModel = modelOf(
  { source: builtInAndCustom('training_module'), key: { order: identityOrder }, fields: idField('CTM1') },
  {
    name: 'training_module',
    title: 'Training modules',
    fields: trainingModuleFields,
    columns: {
      title: { sql: sql`item.title` },
      description: { sql: sql`item.description` },
      url: { sql: sql`item.url` },
      active: { sql: sql`item.active` },
      countermeasures: {
        sql: (context) =>
          jsonList(sql`SELECT c.item_id AS entry FROM training_module_countermeasure n
            JOIN countermeasure c ON c.id = n.countermeasure_id AND ${builtInOrCustom('c', context)}
            WHERE n.training_module_id = item.id ORDER BY c.organization_id IS NOT NULL, c.number`),
      },
    },
  },
);
