import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { key, references } from '../../kernel/schema/columns.js';
import { ownAndBuiltInRows } from '../../kernel/schema/policies.js';
import { partProperties } from '../countermeasure/part.entity.js';
import { itemIndex } from '../../kernel/item.entity.js';
import { DB_ID, searchText, versionIndexes, versionProperties } from '../customization/version.entity.js';
import { provenanceProperties } from '../item-reference/provenance.entity.js';

/** The identity of an additional requirement: its public id, and the countermeasure that it belongs to. */
export const AdditionalRequirement = defineEntity({
  name: 'AdditionalRequirement',
  tableName: 'additional_requirement',
  ...ownAndBuiltInRows(),
  properties: partProperties('additional_requirement'),
  indexes: [
    itemIndex('additional_requirement'),
    { name: 'additional_requirement_countermeasure', properties: ['countermeasureId'] },
  ],
});

/** An additional requirement in the version of one organization, or the built-in original. */
export const AdditionalRequirementVersion = defineEntity({
  name: 'AdditionalRequirementVersion',
  tableName: 'additional_requirement_version',
  ...ownAndBuiltInRows(),
  properties: {
    id: key(),
    additionalRequirementId: references('additional_requirement', { onDelete: 'cascade' }),
    ...versionProperties('additional_requirement'),
    ...provenanceProperties(),
    ordinal: p.integer(),
    searchText: searchText('additional_requirement', DB_ID),
  },
  indexes: [...versionIndexes('additional_requirement')],
});

export type AdditionalRequirementVersion = InferEntity<typeof AdditionalRequirementVersion>;
