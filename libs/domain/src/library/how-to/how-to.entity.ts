import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { key, references } from '../../kernel/schema/columns.js';
import { ownAndBuiltInRows } from '../../kernel/schema/policies.js';
import { partProperties } from '../countermeasure/part.entity.js';
import { itemIndex } from '../../kernel/item.entity.js';
import { DB_ID, searchText, versionIndexes, versionProperties } from '../customization/version.entity.js';
import { provenanceProperties } from '../item-reference/provenance.entity.js';

/** The identity of a how-to: its public id, and the countermeasure that it belongs to. */
export const HowTo = defineEntity({
  name: 'HowTo',
  tableName: 'how_to',
  ...ownAndBuiltInRows(),
  properties: partProperties('how_to'),
  indexes: [itemIndex('how_to'), { name: 'how_to_countermeasure', properties: ['countermeasureId'] }],
});

/** A how-to in the version of one organization, or the built-in original. */
export const HowToVersion = defineEntity({
  name: 'HowToVersion',
  tableName: 'how_to_version',
  ...ownAndBuiltInRows(),
  properties: {
    id: key(),
    howToId: references('how_to', { onDelete: 'cascade' }),
    ...versionProperties('how_to'),
    ...provenanceProperties(),
    versions: p.text().default(''),
    slug: p.text(),
    searchText: searchText('how_to', DB_ID),
  },
  indexes: [...versionIndexes('how_to')],
});

export type HowToVersion = InferEntity<typeof HowToVersion>;
