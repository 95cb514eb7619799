import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { versionProperties } from '../customization/version.entity.js';
import { textArray } from '../../kernel/text-array.js';

/** A threat as one organization has it, or as it ships. Its identity is the row of `threat`. */
export const ThreatVersion = defineEntity({
  name: 'ThreatVersion',
  tableName: 'threat_version',
  properties: {
    ...versionProperties,
    threatId: p.bigint('number'),
    severity: p.integer(),
    capecs: p.array((text: string) => Number(text)),
    /** Internal ids of weaknesses. */
    problems: p.array((text: string) => Number(text)),
    stride: textArray(),
    mitreEmb3d: textArray(),
    maestro: textArray(),
    mitreAttack: textArray(),
  },
});

export type ThreatVersion = InferEntity<typeof ThreatVersion>;
