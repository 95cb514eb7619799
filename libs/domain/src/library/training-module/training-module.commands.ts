import { type FieldsOfFile, itemCommand } from '../item-batch/write-items.js';

/** Makes and changes training modules. */
export const writeTrainingModules = itemCommand<FieldsOfFile>({
  table: {
    kind: 'training_module',
    customizable: false,
    columns: { title: 'text', description: 'text', url: 'text', active: 'boolean' },
  },
  references: {
    countermeasures: { kind: 'countermeasure', table: 'training_module_countermeasure', column: 'training_module_id' },
  },
  defaults: () => ({ description: '', url: '' }),
});
