import { text } from './columns.js';
import { modelWithoutRows } from './content-model.js';

export const glossaryTermModel = modelWithoutRows({
  name: 'glossary_term',
  title: 'Terms of the glossary',
  columns: {
    id: text('Such as `GT3`.'),
    term: text(''),
    definition: text('CommonMark.', { long: true }),
  },
});
