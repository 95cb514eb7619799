import { glossaryTermFields } from '#domain/library/glossary-term/glossary-term.fields.js';
import { glossaryTermProjection } from '#domain/library/glossary-term/glossary-term.projection.js';
import { modelOf } from './content-model.js';

export const glossaryTermModel = modelOf(glossaryTermProjection, {
  name: 'glossary_term',
  title: 'Terms of the glossary',
  fields: glossaryTermFields,
});
