import { sql } from 'kysely';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { projectCountermeasureDeclaration as shared, riskRelevant } from './project-countermeasure.projection.js';
import { projectCountermeasures } from './project-countermeasure.sql.js';
import { identitiesByItemId } from '../../kernel/built-in.sql.js';
import { visibleProjectId } from '../project-access/project-visibility.js';

/** The accepted countermeasures of a weakness, in the project in the path. */
export const weaknessCountermeasureProjection = projection({
  name: 'WeaknessCountermeasure',
  source: (context) => {
    const [project = '', weakness = ''] = context.path;
    return [
      {
        table: projectCountermeasures(context.organization),
        where: sql`item.accepted AND item.project_id = ${visibleProjectId(project, context)}
          AND item.weakness_id IN (${identitiesByItemId('weakness')([weakness.replace(/^.*-/, '')], context)})`,
      },
    ];
  },
  key: shared.key,
  fields: {
    id: shared.fields.id,
    task_id: shared.fields.task_id,
    title: shared.fields.title,
    assigned_to: shared.fields.assigned_to,
    status: shared.fields.status,
    risk_relevant: {
      sql: riskRelevant,
      schema: schema.boolean({ description: 'Whether the risk policy of the project includes it.' }),
    },
  },
  expands: { status: shared.expands.status },
  filters: {
    assigned_to: shared.filters.assigned_to,
    priority: shared.filters.priority,
    risk_relevant: shared.filters.risk_relevant,
    status: shared.filters.status,
  },
  orderings: {
    id: shared.orderings.id,
    title: shared.orderings.title,
    status: shared.orderings.status,
  },
  defaultOrdering: 'id',
  search: shared.search,
});
