import { sql } from 'kysely';
import { threatFields } from '#domain/library/threat/threat.fields.js';
import { threatProjection } from '#domain/library/threat/threat.projection.js';
import { userInFiles } from '#domain/access/user/user-reference.js';
import { matchConditionsInFiles } from '#domain/library/match-condition/match-condition.projection.js';
import { modelOf } from './content-model.js';

export const threatModel = modelOf(threatProjection, {
  name: 'threat',
  title: 'Threats',
  fields: threatFields,
  references: {
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
});
