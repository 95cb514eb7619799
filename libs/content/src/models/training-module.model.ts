import { boolean, text } from './columns.js';
import { modelWithoutRows } from './content-model.js';

export const trainingModuleModel = modelWithoutRows({
  name: 'training_module',
  title: 'Training modules',
  columns: {
    id: text(''),
    title: text(''),
    description: text('', { long: true }),
    url: text(''),
    active: boolean(''),
  },
});
