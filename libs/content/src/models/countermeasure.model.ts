import { sql } from 'kysely';
import { countermeasureProjection } from '#domain/countermeasure/countermeasure.projection.js';
import { TAG_MAXIMUM_LENGTH } from '#domain/countermeasure/countermeasure.rules.js';
import { visible } from '#domain/overlay/overlay.sql.js';
import { itemIdsOf } from '#domain/overlay/shipped.sql.js';
import { userInFiles } from '#domain/user/user-reference.js';
import { jsonList, namedOfAll } from '#query/expressions.js';
import { matchConditionsInFiles } from '#domain/match-condition/match-condition.projection.js';
import { list } from './columns.js';
import { modelOf } from './content-model.js';

export const countermeasureModel = modelOf(countermeasureProjection, {
  name: 'standard',
  title: 'Countermeasures',
  writable: [
    'title',
    'text',
    'problem',
    'priority',
    'phase',
    'active',
    'tags',
    'categories',
    'verification_coverage',
    'match_conditions',
  ],
  references: { problem: 'weakness', phase: 'phase', match_conditions: 'answer' },
  sql: {
    problem: (reading) => namedOfAll(sql`item.weakness_id`, itemIdsOf('weakness', reading)),
    phase: (reading) => namedOfAll(sql`item.phase_id`, itemIdsOf('phase', reading)),
    created_by: userInFiles(sql`item.created_by`),
    last_updated_by: userInFiles(sql`item.updated_by`),
    match_conditions: matchConditionsInFiles('countermeasure'),
  },
  long: ['text'],
  required: ['title', 'text', 'problem', 'priority', 'phase'],
  lengths: { tags: TAG_MAXIMUM_LENGTH },
  // The objects stand in the files of their own models.
  columns: {
    amendments: {
      ...list('Its additional requirements, in their order.', { readOnly: true, references: 'amendment' }),
      sql: ({ organization }) =>
        jsonList(sql`SELECT a.item_id AS entry
          FROM additional_requirement r JOIN additional_requirement_version a ON a.additional_requirement_id = r.id
          WHERE r.countermeasure_id = item.countermeasure_id AND ${visible('additional_requirement', 'a', organization)}
          ORDER BY a.ordinal, a.is_custom, a.number`),
    },
    how_tos: {
      ...list('Its how-tos.', { readOnly: true, references: 'implementation' }),
      sql: ({ organization }) =>
        jsonList(sql`SELECT h.item_id AS entry FROM how_to r JOIN how_to_version h ON h.how_to_id = r.id
          WHERE r.countermeasure_id = item.countermeasure_id AND ${visible('how_to', 'h', organization)}
          ORDER BY h.is_custom, h.number`),
    },
  },
});
