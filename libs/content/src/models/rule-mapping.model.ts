import { ruleMappingFields } from '#domain/library/rule-mapping/rule-mapping.fields.js';
import { ruleMappingProjection } from '#domain/library/rule-mapping/rule-mapping.projection.js';
import { modelOf } from './content-model.js';

export const ruleMappingModel = modelOf(ruleMappingProjection, {
  name: 'rule_mapping',
  title: 'Rule mappings',
  fields: ruleMappingFields,
  references: { cwe: 'cwe' },
});
