import { sql } from 'kysely';
import { threatProjection } from '#domain/library/threat/threat.projection.js';
import { PROVENANCE_FIELDS, REFERENCE_MAXIMUM_LENGTH } from '#domain/library/item-reference/item-reference.rules.js';
import { userInFiles } from '#domain/access/user/user-reference.js';
import { matchConditionsInFiles } from '#domain/library/match-condition/match-condition.projection.js';
import { modelOf } from './content-model.js';

export const threatModel = modelOf(threatProjection, {
  name: 'threat',
  title: 'Threats',
  writable: [
    'title',
    'text',
    'severity',
    'active',
    'capecs',
    'problems',
    'maestro',
    'mitre_attack',
    'mitre_emb3d',
    'stride',
    ...PROVENANCE_FIELDS,
    'match_conditions',
  ],
  references: {
    capecs: 'capec',
    problems: 'weakness',
    maestro: 'threat_framework',
    mitre_attack: 'threat_framework',
    mitre_emb3d: 'threat_framework',
    stride: 'threat_framework',
    match_conditions: 'answer',
  },
  sql: {
    created_by: userInFiles(sql`item.created_by`),
    last_updated_by: userInFiles(sql`item.updated_by`),
    match_conditions: matchConditionsInFiles('threat'),
  },
  long: ['text'],
  required: ['title', 'text', 'severity'],
  lengths: { references: REFERENCE_MAXIMUM_LENGTH },
});
