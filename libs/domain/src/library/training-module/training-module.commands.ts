import { type FieldsOfFile, itemCommand } from '../item-batch/write-items.js';
import { TrainingModule } from './training-module.entity.js';

/** Makes and changes training modules. */
export const writeTrainingModules = itemCommand<FieldsOfFile>({
  table: {
    kind: 'training_module',
    entity: TrainingModule,
  },
  references: {
    countermeasures: { kind: 'countermeasure', table: 'training_module_countermeasure', column: 'training_module_id' },
  },
});
