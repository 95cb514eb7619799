import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { versionProperties } from '../customization/version.entity.js';

/** An additional requirement as one organization has it, or as it ships. Its identity is in `additional_requirement`. */
export const AdditionalRequirementVersion = defineEntity({
  name: 'AdditionalRequirementVersion',
  tableName: 'additional_requirement_version',
  properties: {
    ...versionProperties,
    additionalRequirementId: p.bigint('number'),
    ordinal: p.integer(),
  },
});

export type AdditionalRequirementVersion = InferEntity<typeof AdditionalRequirementVersion>;
