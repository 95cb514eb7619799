import { sql } from 'kysely';
import { column } from '#query/column.js';
import * as filters from '#query/filters.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { builtInAndCustom, identitiesByItemId, identityOrder } from '../../kernel/built-in.sql.js';
import { idShape } from '../../kernel/item-id.js';

export const ruleMappingProjection = projection({
  name: 'RuleMapping',
  source: builtInAndCustom('rule_mapping'),
  key: { shape: idShape('rule_mapping'), column: sql`item.item_id`, order: identityOrder },
  fields: {
    id: { sql: sql`item.item_id`, schema: schema.string({ example: 'RM1' }) },
    system: column(schema.string({ description: 'The tool.', example: 'eslint' }), {
      filter: true,
      sortable: true,
    }),
    rule_pattern: column(
      schema.string({
        description: 'The id of a rule; `*` stands for any text.',
        example: 'security/detect-eval-*',
      }),
      { filter: 'The pattern of rule ids.', sortable: true },
    ),
    cwe: column(schema.nullable(schema.integer({ description: 'The CWE that the rules find.', example: 95 })), {
      filter: true,
      sortable: true,
    }),
    weakness: {
      sql: sql`(SELECT w.item_id FROM weakness w WHERE w.id = item.weakness_id)`,
      schema: schema.nullable(schema.string({ description: 'The weakness that the rules find.', example: 'P4' })),
    },
    is_custom: {
      sql: sql`item.organization_id IS NOT NULL`,
      schema: schema.boolean({ description: 'Whether the organization created it.' }),
    },
  },
  filters: {
    id: filters.publicId(sql`item.item_id`, idShape('rule_mapping')),
    weakness: filters.reference(
      sql`item.weakness_id`,
      'The weakness that the rules find.',
      identitiesByItemId('weakness'),
      idShape('weakness'),
    ),
    is_custom: filters.boolean(sql`(item.organization_id IS NOT NULL)`, 'Whether the organization created it.'),
  },
  orderings: {
    id: identityOrder,
  },
  defaultOrdering: 'id',
  search: { text: sql`item.system || E'\\n' || item.rule_pattern`, fields: ['system', 'rule_pattern'] },
});
