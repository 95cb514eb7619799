import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { versionProperties } from '../customization/version.entity.js';

/** A how-to as one organization has it, or as it ships. Its identity is the row of `how_to`. */
export const HowToVersion = defineEntity({
  name: 'HowToVersion',
  tableName: 'how_to_version',
  properties: {
    ...versionProperties,
    howToId: p.bigint('number'),
    slug: p.text(),
  },
});

export type HowToVersion = InferEntity<typeof HowToVersion>;
