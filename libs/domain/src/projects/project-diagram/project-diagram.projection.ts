import { sql } from 'kysely';
import { column } from '#query/column.js';
import * as filters from '#query/filters.js';
import { projection } from '#query/projection.js';
import * as schema from '#query/schema.js';
import { NUMERIC_ID } from '../../kernel/item-id.js';
import { visibleProject } from '../project-access/project-visibility.js';
import { times } from '../../access/user/authorship.projection.js';

const idOrder = [sql`item.id`];

/** Diagrams of the projects that the caller can see. */
export const projectDiagramProjection = projection({
  name: 'ProjectDiagram',
  source: (context) => [
    {
      table: sql.table('project_diagram'),
      where: sql`item.project_id IN (SELECT p.id FROM project p WHERE ${visibleProject('p', context)})`,
    },
  ],
  key: { shape: NUMERIC_ID, column: sql`item.id`, order: idOrder, numeric: true },
  fields: {
    id: column(schema.integer({ example: 1 }), { filter: 'Its id.' }),
    project: { sql: sql`item.project_id`, schema: schema.integer({ description: 'Its project.', example: 1 }) },
    name: column(schema.string({ example: 'Data flow' }), { filter: 'Its name.', sortable: true }),
    diagram_data: column({
      description: 'The diagram as the editor saved it.',
      example: { nodes: [], edges: [] },
    }),
    ...times.fields,
  },
  filters: {
    project: filters.integer(sql`item.project_id`, 'Its project.'),
    ...times.filters,
  },
  orderings: {
    id: idOrder,
    ...times.orderings,
  },
  defaultOrdering: 'id',
  search: { text: sql`item.name`, fields: ['name'] },
});
