import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { versionProperties } from '../customization/version.entity.js';

/** A weakness as one organization has it, or as it ships. Its identity is the row of `weakness`. */
export const WeaknessVersion = defineEntity({
  name: 'WeaknessVersion',
  tableName: 'weakness_version',
  properties: {
    ...versionProperties,
    weaknessId: p.bigint('number'),
    riskRating: p.integer(),
    category: p.text(),
    cwes: p.array((text: string) => Number(text)),
  },
});

export type WeaknessVersion = InferEntity<typeof WeaknessVersion>;
