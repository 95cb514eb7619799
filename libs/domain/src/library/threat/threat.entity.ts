import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { between, key, numberList, references, textIndex, textList } from '../../kernel/schema/columns.js';
import { ownAndBuiltInRows } from '../../kernel/schema/policies.js';
import { itemIndex, itemProperties } from '../../kernel/item.entity.js';
import { changeTriggers } from '../../kernel/schema/library-triggers.js';
import { DB_ID, searchText, versionIndexes, versionProperties } from '../customization/version.entity.js';
import { provenanceProperties } from '../item-reference/provenance.entity.js';
import { SEVERITY } from './threat.rules.js';

/** The identity of a threat: its public id. */
export const Threat = defineEntity({
  name: 'Threat',
  tableName: 'threat',
  ...ownAndBuiltInRows(),
  properties: {
    id: key(),
    ...itemProperties('threat'),
  },
  indexes: [itemIndex('threat')],
});

/** A threat in the version of one organization, or the built-in original. */
export const ThreatVersion = defineEntity({
  name: 'ThreatVersion',
  tableName: 'threat_version',
  ...ownAndBuiltInRows(),
  properties: {
    id: key(),
    threatId: references('threat', { onDelete: 'cascade' }),
    ...versionProperties('threat'),
    ...provenanceProperties(),
    severity: p.integer().check(between('severity', SEVERITY)),
    capecs: numberList(),
    /** Internal ids of weaknesses. */
    problems: numberList(),
    stride: textList(),
    mitreEmb3d: textList(),
    maestro: textList(),
    mitreAttack: textList(),
    searchText: searchText('threat', DB_ID),
  },
  indexes: [
    ...versionIndexes('threat'),
    { name: 'threat_version_capecs', properties: ['capecs'], type: 'gin' },
    { name: 'threat_version_problems', properties: ['problems'], type: 'gin' },
    textIndex('threat_version_search', 'threat_version', 'search_text'),
    { name: 'threat_version_severity', properties: ['organizationId', 'severity', 'isCustom', 'number'] },
  ],
  triggers: changeTriggers('threat_version'),
});

export type ThreatVersion = InferEntity<typeof ThreatVersion>;
