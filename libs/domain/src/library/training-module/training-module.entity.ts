import { defineEntity, p } from '@mikro-orm/core';
import { computed, key, references, uniqueIndex } from '../../kernel/schema/columns.js';
import { ownRows, rowsOf } from '../../kernel/schema/policies.js';

/** A training module. All are imported by organizations: none are built-in, and they have no versions. */
export const TrainingModule = defineEntity({
  name: 'TrainingModule',
  tableName: 'training_module',
  ...ownRows(),
  properties: {
    id: key(),
    organizationId: references('organization'),
    number: p.integer(),
    itemId: computed(`'CTM' || number::text`),
    title: p.text(),
    description: p.text().default(''),
    url: p.text().default(''),
    active: p.boolean().default(true),
  },
  uniques: [{ properties: ['organizationId', 'number'] }],
  indexes: [uniqueIndex('training_module_item_id', 'training_module (item_id, organization_id)')],
});

/** A countermeasure that a training module explains. */
export const TrainingModuleCountermeasure = defineEntity({
  name: 'TrainingModuleCountermeasure',
  tableName: 'training_module_countermeasure',
  ...rowsOf({ training_module_id: 'training_module' }),
  properties: {
    trainingModuleId: references('training_module', { onDelete: 'cascade' }).primary(),
    countermeasureId: references('countermeasure', { onDelete: 'cascade' }).primary(),
  },
  indexes: [{ name: 'training_module_countermeasure_item', properties: ['countermeasureId'] }],
});
