import { sql } from 'kysely';
import type { Fields } from '#query/projection.js';
import * as schema from '#query/schema.js';

/** Fields that `include=references` adds to all library items with texts. */
export const provenanceFields: Fields = {
  references: {
    sql: sql`to_json(${sql.ref('item.references')})`,
    schema: schema.list(schema.string(), {
      description: 'Its sources: weakness types, sections of standards, titles of documents.',
      example: ['cwe:916', 'asvs:5.0:11.4.2', 'owasp-cheatsheet:Password_Storage_Cheat_Sheet'],
    }),
  },
  reviewed_at: {
    sql: sql`to_char(item.reviewed_at, 'YYYY-MM-DD')`,
    schema: schema.nullable(
      schema.string({
        format: 'date',
        description: 'When it was last checked against its references.',
        example: '2026-11-23',
      }),
    ),
  },
};
