import { defineEntity, p } from '@mikro-orm/core';
import { index, key, numberList, references } from '../../kernel/schema/columns.js';
import { rowsOf } from '../../kernel/schema/policies.js';
import { changeTriggers } from '../../kernel/schema/library-triggers.js';

const OWNERS = ['weakness', 'countermeasure', 'additional_requirement', 'how_to', 'threat'] as const;

/** A partial index: a condition belongs to a version of only one kind. */
const ownerIndex = (owner: string) =>
  index(
    `match_condition_${owner}`,
    `match_condition (${owner}_version_id, position) WHERE ${owner}_version_id IS NOT NULL`,
  );

/** A condition that makes an item relevant to a project. It belongs to exactly one version. */
export const MatchCondition = defineEntity({
  name: 'MatchCondition',
  tableName: 'match_condition',
  ...rowsOf({
    countermeasure_version_id: 'countermeasure_version',
    weakness_version_id: 'weakness_version',
    additional_requirement_version_id: 'additional_requirement_version',
    how_to_version_id: 'how_to_version',
    threat_version_id: 'threat_version',
  }),
  properties: {
    id: key(),
    weaknessVersionId: references('weakness_version', { onDelete: 'cascade' }).nullable(),
    countermeasureVersionId: references('countermeasure_version', { onDelete: 'cascade' }).nullable(),
    additionalRequirementVersionId: references('additional_requirement_version', { onDelete: 'cascade' }).nullable(),
    howToVersionId: references('how_to_version', { onDelete: 'cascade' }).nullable(),
    itemId: p.text(),
    dbId: p.bigint('number'),
    position: p.integer(),
    required: numberList(),
    excluded: numberList(),
    /** Stored in addition to the answers, so that a change of the mode loses neither. */
    requiredAttributes: numberList(),
    excludedAttributes: numberList(),
    threatVersionId: references('threat_version', { onDelete: 'cascade' }).nullable(),
  },
  indexes: [
    ...OWNERS.map((owner) => ownerIndex(owner)),
    {
      name: 'match_condition_attributes',
      properties: ['requiredAttributes', 'excludedAttributes'],
      type: 'gin',
      where: "required_attributes <> '{}' OR excluded_attributes <> '{}'",
    },
  ],
  checks: [
    {
      name: 'match_condition_check',
      expression: `num_nonnulls(${OWNERS.map((owner) => `${owner}_version_id`).join(', ')}) = 1`,
    },
  ],
  triggers: changeTriggers('match_condition'),
});
