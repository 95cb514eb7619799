import { sql } from 'kysely';
import type { QueryContext, Sql } from '#query/query-context.js';
import { numericIdOrNull } from '../../kernel/item-id.js';
import { visibleProjectId } from '../../projects/project-access/project-visibility.js';

/** Whether a row `item` belongs to the connection in the path, in a project that the caller can see. */
export const withinConnection = (context: QueryContext): Sql => {
  const [project = '', connection = ''] = context.path;
  return sql`item.connection_id = (SELECT c.id FROM tracker_connection c
    WHERE c.id = ${numericIdOrNull(connection)}::bigint AND c.project_id = ${visibleProjectId(project, context)})`;
};
