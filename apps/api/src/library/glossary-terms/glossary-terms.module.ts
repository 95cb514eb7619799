import { glossaryTermProjection } from '#domain/library/glossary-term/glossary-term.projection.js';
import { readOnlyModule } from '../../http/resources/read-only-module.js';

export const GlossaryTermsModule = readOnlyModule({
  name: 'GlossaryTerms',
  path: 'library/glossary-terms',
  tag: 'Glossary',
  family: 'library',
  projection: glossaryTermProjection,
  summaries: { list: 'List glossary terms', item: 'Show a glossary term' },
});
