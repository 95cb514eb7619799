import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { versionProperties } from '../customization/version.entity.js';
import { textArray } from '../../kernel/text-array.js';

/** A countermeasure as one organization has it, or as it ships. Its identity is the row of `countermeasure`. */
export const CountermeasureVersion = defineEntity({
  name: 'CountermeasureVersion',
  tableName: 'countermeasure_version',
  properties: {
    ...versionProperties,
    countermeasureId: p.bigint('number'),
    weaknessId: p.bigint('number'),
    phaseId: p.bigint('number'),
    priority: p.integer(),
    tags: textArray(),
    categories: textArray(),
    verificationCoverage: textArray(),
  },
});

export type CountermeasureVersion = InferEntity<typeof CountermeasureVersion>;
