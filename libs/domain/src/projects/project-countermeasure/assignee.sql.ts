import { sql } from 'kysely';
import { jsonObject } from '#query/expressions.js';
import * as schema from '#query/schema.js';

/** A user `u` to whom a countermeasure is assigned, with their global role. */
export const assigneeObject = jsonObject({
  id: sql`u.id`,
  email: sql`u.email`,
  first_name: sql`u.first_name`,
  last_name: sql`u.last_name`,
  is_active: sql`u.is_active`,
  role: sql`(SELECT ${jsonObject({ id: sql`r.item_id`, name: sql`r.name` })} FROM global_role r
    WHERE r.id = u.role_id)`,
});

export const assigneeSchema = schema.object({
  id: schema.integer({ example: 7 }),
  email: schema.string({ example: 'grace@example.com' }),
  first_name: schema.string({ example: 'Grace' }),
  last_name: schema.string({ example: 'Hopper' }),
  is_active: schema.boolean(),
  role: schema.object({ id: schema.string({ example: 'UR2' }), name: schema.string({ example: 'Security' }) }),
});
