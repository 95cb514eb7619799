import { list, text } from './columns.js';
import { modelWithoutRows } from './content-model.js';

export const profileModel = modelWithoutRows({
  name: 'profile',
  title: 'Profiles',
  columns: {
    id: text('Such as `P2`.'),
    name: text(''),
    slug: text(''),
    description: text('', { long: true }),
    answers: list('The answers that a project with this profile starts with.', { references: 'answer' }),
  },
});
