import { searchProjection } from '#domain/search/search.projection.js';
import { readOnlyModule } from '../http/resources/read-only-module.js';

export const SearchModule = readOnlyModule({
  name: 'Search',
  path: 'search',
  tag: 'Search',
  family: 'library',
  projection: searchProjection,
  summaries: { list: 'Search everything that you can see' },
});
