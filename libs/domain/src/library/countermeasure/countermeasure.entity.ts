import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { between, key, references, textIndex, textList, uniqueIndex } from '../../kernel/schema/columns.js';
import { ownAndBuiltInRows } from '../../kernel/schema/policies.js';
import { itemIndex, itemProperties } from '../../kernel/item.entity.js';
import { changeTriggers } from '../../kernel/schema/library-triggers.js';
import { DB_ID, searchText, versionIndexes, versionProperties } from '../customization/version.entity.js';
import { provenanceProperties } from '../item-reference/provenance.entity.js';
import { LEVEL, PRIORITY } from './countermeasure.rules.js';

/** The identity of a countermeasure: its public id. All references to countermeasures point here. */
export const Countermeasure = defineEntity({
  name: 'Countermeasure',
  tableName: 'countermeasure',
  ...ownAndBuiltInRows(),
  properties: {
    id: key(),
    ...itemProperties('countermeasure'),
  },
  indexes: [itemIndex('countermeasure')],
});

/** A countermeasure in the version of one organization, or the built-in original. */
export const CountermeasureVersion = defineEntity({
  name: 'CountermeasureVersion',
  tableName: 'countermeasure_version',
  ...ownAndBuiltInRows(),
  properties: {
    id: key(),
    countermeasureId: references('countermeasure', { onDelete: 'cascade' }),
    ...versionProperties('countermeasure'),
    ...provenanceProperties(),
    weaknessId: references('weakness'),
    phaseId: references('phase'),
    priority: p.integer().check(between('priority', PRIORITY)),
    /** The lowest level of a project that it applies to. */
    level: p.integer().check(between('level', LEVEL)).default(1),
    tags: textList(),
    categories: textList(),
    verificationCoverage: textList(),
    searchText: searchText('countermeasure', DB_ID),
  },
  indexes: [
    ...versionIndexes('countermeasure'),
    // Proves to the planner that each item has one original, so that it can leave out joins that a report does not
    // need. It only considers equality and indexes without a predicate, so null has to become a number here.
    uniqueIndex(
      'countermeasure_version_of',
      'countermeasure_version (countermeasure_id, (coalesce(organization_id, 0)))',
    ),
    { name: 'countermeasure_version_phase', properties: ['organizationId', 'phaseId'] },
    {
      name: 'countermeasure_version_priority',
      properties: ['organizationId', 'priority', 'isCustom', 'number'],
      include: ['countermeasureId', 'active'],
    },
    textIndex('countermeasure_version_search', 'countermeasure_version', 'search_text'),
    { name: 'countermeasure_version_tags', properties: ['tags'], type: 'gin' },
    { name: 'countermeasure_version_weakness', properties: ['weaknessId'] },
  ],
  triggers: changeTriggers('countermeasure_version'),
});

export type CountermeasureVersion = InferEntity<typeof CountermeasureVersion>;
