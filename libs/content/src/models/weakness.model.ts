import { sql } from 'kysely';
import { visible } from '#domain/library/customization/customization.sql.js';
import { weaknessProjection } from '#domain/library/weakness/weakness.projection.js';
import { jsonList } from '#query/expressions.js';
import { PROVENANCE_FIELDS, REFERENCE_MAXIMUM_LENGTH } from '#domain/library/item-reference/item-reference.rules.js';
import { userInFiles } from '#domain/access/user/user-reference.js';
import { matchConditionsInFiles } from '#domain/library/match-condition/match-condition.projection.js';
import { list } from './columns.js';
import { modelOf } from './content-model.js';

export const weaknessModel = modelOf(weaknessProjection, {
  name: 'weakness',
  title: 'Weaknesses',
  writable: ['title', 'text', 'risk_rating', 'cwe', 'active', 'category', ...PROVENANCE_FIELDS, 'match_conditions'],
  references: { cwe: 'cwe', match_conditions: 'answer' },
  sql: {
    last_updated_by: userInFiles(sql`item.updated_by`),
    match_conditions: matchConditionsInFiles('weakness'),
  },
  long: ['text'],
  required: ['title', 'text', 'risk_rating'],
  lengths: { references: REFERENCE_MAXIMUM_LENGTH },
  columns: {
    related_tasks: {
      ...list('The countermeasures of this weakness.', { readOnly: true, references: 'standard' }),
      sql: ({ organization }) =>
        jsonList(sql`SELECT t.item_id AS entry FROM countermeasure_version t
          WHERE t.weakness_id = item.weakness_id AND ${visible('countermeasure', 't', organization)}
          ORDER BY t.is_custom, t.number`),
    },
  },
});
