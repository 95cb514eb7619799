import { categoryProjection } from '#domain/library/category/category.projection.js';
import { readOnlyModule } from '../../http/resources/read-only-module.js';

export const CategoriesModule = readOnlyModule({
  name: 'Categories',
  path: 'library/categories',
  tag: 'Categories',
  family: 'library',
  projection: categoryProjection,
  summaries: { list: 'List categories' },
});
