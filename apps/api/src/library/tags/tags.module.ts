import { tagProjection } from '#domain/library/tag/tag.projection.js';
import { readOnlyModule } from '../../http/resources/read-only-module.js';

export const TagsModule = readOnlyModule({
  name: 'Tags',
  path: 'library/tags',
  tag: 'Tags',
  family: 'library',
  projection: tagProjection,
  summaries: { list: 'List tags in use' },
});
