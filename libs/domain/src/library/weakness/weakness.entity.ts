import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { between, key, numberList, references, textIndex } from '../../kernel/schema/columns.js';
import { ownAndBuiltInRows } from '../../kernel/schema/policies.js';
import { itemIndex, itemProperties } from '../../kernel/item.entity.js';
import { changeTriggers } from '../../kernel/schema/library-triggers.js';
import { searchText, versionIndexes, versionProperties } from '../customization/version.entity.js';
import { provenanceProperties } from '../item-reference/provenance.entity.js';
import { RISK_RATING } from './weakness.rules.js';

/** The identity of a weakness: its public id. */
export const Weakness = defineEntity({
  name: 'Weakness',
  tableName: 'weakness',
  ...ownAndBuiltInRows(),
  properties: {
    id: key(),
    ...itemProperties('weakness'),
  },
  indexes: [itemIndex('weakness')],
});

/** A weakness in the version of one organization, or the built-in original. */
export const WeaknessVersion = defineEntity({
  name: 'WeaknessVersion',
  tableName: 'weakness_version',
  ...ownAndBuiltInRows(),
  properties: {
    id: key(),
    weaknessId: references('weakness', { onDelete: 'cascade' }),
    ...versionProperties('weakness'),
    ...provenanceProperties(),
    riskRating: p.integer().check(between('risk_rating', RISK_RATING)),
    category: p.text().default(''),
    cwes: numberList(),
    searchText: searchText('weakness'),
  },
  indexes: [
    ...versionIndexes('weakness'),
    { name: 'weakness_version_cwes', properties: ['cwes'], type: 'gin' },
    textIndex('weakness_version_search', 'weakness_version', 'search_text'),
  ],
  triggers: changeTriggers('weakness_version'),
});

export type WeaknessVersion = InferEntity<typeof WeaknessVersion>;
