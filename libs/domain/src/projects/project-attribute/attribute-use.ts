import { sql } from 'kysely';
import { tables } from '../../kernel/tables.js';
import type { AttributeUse } from '../../library/attribute/attribute.events.js';
import { asSubject } from '../project-access/find-project.js';
import { findLocatedProjects } from '../hierarchy/located-projects.js';
import { Project } from '../hierarchy/project.entity.js';
import { removeManualSources } from './project-attribute.commands.js';
import { ProjectAttributeSource } from './project-attribute.entity.js';

/** Projects that have the attribute for any reason. They are refreshed as after any change of the library. */
const projectsUsingAttribute: AttributeUse = {
  words: 'projects',
  find: async (em, actor, attribute) => {
    const projects = await tables(em, Project, ProjectAttributeSource)
      .selectFrom('project')
      .select('id')
      .where('organization_id', '=', actor.organizationId)
      .where('id', 'in', (query) =>
        query.selectFrom('project_attribute_source').select('project_id').where('attribute_id', '=', attribute.id),
      )
      .orderBy('id')
      .forNoKeyUpdate()
      .execute();
    const located = await findLocatedProjects(
      em,
      projects.map(({ id }) => id),
    );
    return [...located.values()].map((project) => ({ subject: 'project', ...asSubject(project) }));
  },
  release: async (em, actor, attribute) => {
    await removeManualSources(em, actor, attribute);
    await sql`
      WITH deleted AS (DELETE FROM project_attribute_source WHERE attribute_id = ${attribute.id})
      UPDATE project_component pc
      SET implied_attributes = array_remove(pc.implied_attributes, ${attribute.id}::bigint)
      FROM project p WHERE p.id = pc.project_id AND p.organization_id = ${actor.organizationId}
        AND pc.implied_attributes @> ARRAY[${attribute.id}::bigint]`.execute(em.getKysely());
  },
};

/** The uses in projects of an attribute that is about to be deleted. */
export const attributeUseOfProjects = (): Promise<AttributeUse> => Promise.resolve(projectsUsingAttribute);
