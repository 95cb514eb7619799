import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { itemIndex, itemProperties } from '../../kernel/item.entity.js';
import { key, references } from '../../kernel/schema/columns.js';
import { ownAndBuiltInRows } from '../../kernel/schema/policies.js';

/** Says which CWE or weakness some rules of a tool find: built-in (without an organization) or custom. */
export const RuleMapping = defineEntity({
  name: 'RuleMapping',
  tableName: 'rule_mapping',
  ...ownAndBuiltInRows(),
  properties: {
    id: key(),
    ...itemProperties('rule_mapping'),
    system: p.text(),
    rulePattern: p.text(),
    cwe: p.integer().nullable(),
    weaknessId: references('weakness', { onDelete: 'cascade' }).nullable(),
  },
  indexes: [
    itemIndex('rule_mapping'),
    { name: 'rule_mapping_weakness', properties: ['weaknessId'], where: 'weakness_id IS NOT NULL' },
  ],
  checks: [{ name: 'rule_mapping_target', expression: 'num_nonnulls(cwe, weakness_id) = 1' }],
});

export type RuleMapping = InferEntity<typeof RuleMapping>;
