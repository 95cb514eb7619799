import { boolean, line, references, text } from '../../kernel/fields/fields.js';

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
