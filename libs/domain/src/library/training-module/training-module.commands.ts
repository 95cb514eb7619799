import type { InputOf } from '../../kernel/fields/field.js';
import { itemCommand } from '../item-batch/write-items.js';
import { TrainingModule } from './training-module.entity.js';
import type { trainingModuleFields } from './training-module.fields.js';

export const writeTrainingModules = itemCommand<InputOf<typeof trainingModuleFields>>({
  table: {
    kind: 'training_module',
    entity: TrainingModule,
  },
  references: {
    countermeasures: { kind: 'countermeasure', table: 'training_module_countermeasure', column: 'training_module_id' },
  },
});
