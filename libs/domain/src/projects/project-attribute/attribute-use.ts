import { sql } from 'kysely';
import type { AttributeUse } from '../../library/attribute/attribute.events.js';
import { asSubject } from '../project-access/find-project.js';
import { locateProjects } from '../project-access/located-projects.js';
import { removeManualSources } from './project-attribute.commands.js';

/** Projects that have the attribute for any reason. They are recalculated as after any library change. */
const projectsUsingAttribute: AttributeUse = {
  words: 'projects',
  find: async (em, actor, attribute) => {
    const { rows } = await sql<{ id: string }>`
      SELECT p.id FROM project p WHERE p.organization_id = ${actor.organizationId} AND p.id IN (
        SELECT s.project_id FROM project_attribute_source s WHERE s.attribute_id = ${attribute.id})
      ORDER BY p.id FOR NO KEY UPDATE`.execute(em.getKysely());
    const placed = await locateProjects(
      em,
      rows.map((row) => Number(row.id)),
    );
    return [...placed.values()].map((project) => ({ subject: 'project', ...asSubject(project) }));
  },
  release: async (em, actor, attribute) => {
    await removeManualSources(em, actor, attribute);
    await sql`
      WITH gone AS (DELETE FROM project_attribute_source WHERE attribute_id = ${attribute.id})
      UPDATE project_component held SET implied_attributes = array_remove(held.implied_attributes, ${attribute.id}::bigint)
      FROM project p WHERE p.id = held.project_id AND p.organization_id = ${actor.organizationId}
        AND held.implied_attributes @> ARRAY[${attribute.id}::bigint]`.execute(em.getKysely());
  },
};

/** In what projects use an attribute that is about to be deleted. */
export const attributeUseOfProjects = (): Promise<AttributeUse> => Promise.resolve(projectsUsingAttribute);
