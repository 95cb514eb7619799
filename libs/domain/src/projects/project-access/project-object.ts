import { sql } from 'kysely';
import { jsonObject } from '#query/expressions.js';
import type { Sql } from '#query/query-context.js';
import type { Field } from '#query/projection.js';
import * as schema from '#query/schema.js';

/** The project of an item that the caller sees as `{id, name, url}`, for `expand=project`. */
export const projectObject = (id: Sql): Field => ({
  sql: ({ origin }) =>
    sql`(SELECT ${jsonObject({
      id: sql`p.id`,
      name: sql`p.name`,
      url: sql`${`${origin}/projects/`} || p.id || '/'`,
    })} FROM project p WHERE p.id = ${id})`,
  schema: schema.object(
    {
      id: schema.integer({ example: 1 }),
      name: schema.string({ example: 'Web shop 2.0' }),
      url: schema.string({ example: '/projects/1/' }),
    },
    { description: 'Its project; only with `expand=project`.' },
  ),
});
