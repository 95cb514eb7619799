import { sql } from 'kysely';
import type { Facets } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { contentFacets } from '../../library/countermeasure/countermeasure.projection.js';
import { visible } from '../../library/customization/customization.sql.js';
import { TASK_STATUSES } from '../task-status/task-status.rules.js';

/** The facets of lists of countermeasures of projects. */
export const countermeasureFacets: Facets = {
  ...contentFacets,
  status: {
    key: sql`item.status_id`,
    value: (key) => sql`('TS' || ${key})`,
    label: (key) => sql`(SELECT s.name FROM task_status s WHERE s.id = ${key})`,
    schema: schema.string({ enum: TASK_STATUSES }),
  },
  assigned_to: {
    key: sql`ARRAY(SELECT a.user_id FROM project_countermeasure_assignee a
      WHERE a.project_countermeasure_id = item.id)`,
    isList: true,
    value: (key) => sql`(SELECT u.email FROM user_account u WHERE u.id = ${key})`,
    label: (key) => sql`(SELECT u.first_name || ' ' || u.last_name FROM user_account u WHERE u.id = ${key})`,
    schema: schema.string({ example: 'grace@example.com' }),
  },
  problem: {
    key: sql`item.weakness_id`,
    value: (key) => sql`(SELECT w.item_id FROM weakness w WHERE w.id = ${key})`,
    label: (key, context) => sql`(SELECT w.title FROM weakness_version w
      WHERE w.weakness_id = ${key} AND ${visible('weakness', 'w', context.organization)})`,
    schema: schema.string({ example: 'P4' }),
  },
};
