import { sectionProjection } from '#domain/library/survey/section.projection.js';
import { readOnlyModule } from '../../http/resources/read-only-module.js';

export const SectionsModule = readOnlyModule({
  name: 'Sections',
  path: 'library/sections',
  tag: 'Survey',
  family: 'library',
  projection: sectionProjection,
  summaries: { list: 'List sections of the survey', item: 'Show a section' },
});
