import { boolean, line, references, text } from '../../kernel/fields/fields.js';
import type { InputOf } from '../../kernel/fields/field.js';
import { itemCommand } from '../item-batch/write-items.js';
import { TrainingModule } from './training-module.entity.js';

export const trainingModuleFields = {
  title: line(),
  description: text({ blank: true, optional: true }),
  url: line({ blank: true, optional: true, description: 'Where the training is.' }),
  active: boolean({ optional: true }),
  countermeasures: references('countermeasure', {
    optional: true,
    unordered: true,
    description: 'Ids of the countermeasures that it teaches.',
  }),
};

export const writeTrainingModules = itemCommand<InputOf<typeof trainingModuleFields>>({
  table: {
    kind: 'training_module',
    entity: TrainingModule,
  },
  references: {
    countermeasures: { kind: 'countermeasure', table: 'training_module_countermeasure', column: 'training_module_id' },
  },
});
