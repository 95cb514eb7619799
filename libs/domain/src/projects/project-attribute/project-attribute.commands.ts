import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import { type ActivityInput, recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import type { Attribute } from '../../library/attribute/attribute.entity.js';
import { customId, idShape } from '../../kernel/item-id.js';
import { authorOf } from '../../kernel/operator.js';
import { tables } from '../../kernel/tables.js';
import { findAndLockIdentities } from '../../kernel/find-identities.js';
import { builtInOrCustom } from '../../kernel/built-in.sql.js';
import { type FoundProject, inProject, type LocatedProject, projectToChange } from '../project-access/find-project.js';
import { locateProjects } from '../project-access/located-projects.js';
import { refreshProjects } from '../project-content/refresh-project.js';
import { type FieldErrors, Invalid, missingMessages, NotFound } from '../../kernel/domain-errors.js';
import { ProjectAttributeSource } from './project-attribute.entity.js';

/** An attribute that someone adds to a project, and why. */
export interface AddedAttribute {
  readonly id: string;
  readonly reason?: string;
}

type Told = Pick<ActivityInput, 'subject' | 'verb'>;

const ADDED: Told = { subject: 'project_attribute', verb: 'Created' };
const REMOVED: Told = { subject: 'project_attribute', verb: 'Deleted' };
const REASON_CHANGED: Told = { subject: 'project_attribute_reason', verb: 'Modified' };

const activityInput = (
  told: Told,
  project: LocatedProject,
  { id, name, reason }: { readonly id: string; readonly name: string; readonly reason: string },
): ActivityInput => ({
  ...told,
  id,
  title: name,
  also: { ...inProject(project), reason: { id: reason, description: reason } },
});

interface ResolvedAttribute {
  /** Internal id. */
  readonly attribute: number;
  readonly reason: string | undefined;
}

/**
 * What is named, each once, with the reason that one of its entries gives. Throws `Invalid` with a list that has `{}`
 * for every entry that is fine.
 */
async function resolveAttributes(
  em: EntityManager,
  actor: Actor,
  entries: readonly AddedAttribute[],
): Promise<ResolvedAttribute[]> {
  const found = await findAndLockIdentities(
    em,
    actor,
    'attribute',
    entries.map(({ id }) => id),
  );
  const resolved = new Map<string, ResolvedAttribute>();
  const errors = entries.map(({ id, reason }): FieldErrors => {
    const attribute = found.get(id);
    if (attribute === undefined) return { id: missingMessages(id) };
    const before = resolved.get(id)?.reason;
    if (reason !== undefined && before !== undefined && reason !== before)
      return { reason: ['The same attribute is listed with another reason.'] };
    resolved.set(id, { attribute, reason: reason ?? before });
    return {};
  });
  if (errors.some((error) => Object.keys(error).length)) throw new Invalid({ attributes: errors });
  return [...resolved.values()];
}

/**
 * Adds attributes to a project by hand, all or none. One that was added already keeps its reason, unless another one is
 * given. Throws `NotFound`, `Forbidden`, `Invalid`.
 */
export async function addAttributes(
  em: EntityManager,
  actor: Actor,
  projectId: string,
  entries: readonly AddedAttribute[],
): Promise<void> {
  const project = await projectToChange(em, actor, projectId, 'attributes');
  const values = await resolveAttributes(em, actor, entries);
  const { rows } = await sql<{ item_id: string; name: string; reason: string; added: boolean }>`
    WITH given AS (
      SELECT g.attribute, g.reason
        FROM json_to_recordset(${JSON.stringify(values)}::json) AS g(attribute bigint, reason text)),
    reasoned AS (
      UPDATE project_attribute_source s SET reason = given.reason FROM given
      WHERE s.project_id = ${project.id} AND s.attribute_id = given.attribute AND s.type = 'manual'
        AND given.reason IS NOT NULL AND s.reason <> given.reason
      RETURNING s.attribute_id, s.reason, false AS added),
    added AS (
      INSERT INTO project_attribute_source (project_id, attribute_id, type, reason, added_by)
      SELECT ${project.id}::bigint, given.attribute, 'manual', coalesce(given.reason, ''), ${authorOf(actor)}::bigint
      FROM given
      ON CONFLICT DO NOTHING RETURNING attribute_id, reason, true AS added)
    SELECT a.item_id, a.name, changed.reason, changed.added
    FROM (SELECT * FROM reasoned UNION ALL SELECT * FROM added) changed JOIN attribute a ON a.id = changed.attribute_id
    ORDER BY a.organization_id NULLS FIRST, a.number`.execute(em.getKysely());
  await recordActivity(
    em,
    actor,
    ...rows.map(({ item_id: id, name, reason, added }) =>
      activityInput(added ? ADDED : REASON_CHANGED, project, { id, name, reason }),
    ),
  );
  if (rows.some(({ added }) => added)) await refreshProjects(em, actor, [project.id]);
}

/**
 * The rows of `changed`, which are manual sources, with the attribute's name. Throws `NotFound` where there is none.
 */
async function changedSource(
  em: EntityManager,
  id: string,
  changed: Sql,
): Promise<{ readonly id: string; readonly name: string; readonly reason: string }> {
  const { rows } = await sql<{ name: string; reason: string }>`
    WITH changed AS (${changed})
    SELECT a.name, changed.reason FROM changed JOIN attribute a ON a.id = changed.attribute_id`.execute(em.getKysely());
  const [row] = rows;
  if (!row) throw new NotFound();
  return { id, ...row };
}

/**
 * Which source is meant: the one by hand of the attribute with this public id. Other organizations' share no project.
 */
const manualSource = (project: FoundProject, actor: Actor, id: string) => {
  if (!idShape('attribute').test(id)) throw new NotFound();
  return sql`project_id = ${project.id} AND type = 'manual' AND attribute_id = (
    SELECT a.id FROM attribute a
    WHERE a.item_id = ${id} AND ${builtInOrCustom('a', { organization: actor.organizationId })})`;
};

/** Changes why someone added an attribute. Throws `NotFound` where no one did, and `Forbidden`. */
export async function changeReason(
  em: EntityManager,
  actor: Actor,
  projectId: string,
  id: string,
  reason: string | undefined,
): Promise<void> {
  const project = await projectToChange(em, actor, projectId, 'attributes');
  const source = manualSource(project, actor, id);
  const changed = await changedSource(
    em,
    id,
    reason === undefined
      ? sql`SELECT attribute_id, reason FROM project_attribute_source WHERE ${source}`
      : sql`UPDATE project_attribute_source SET reason = ${reason} WHERE ${source} RETURNING attribute_id, reason`,
  );
  if (reason !== undefined) await recordActivity(em, actor, activityInput(REASON_CHANGED, project, changed));
}

/**
 * Takes a custom attribute that is about to be deleted out of the projects that someone added it to; these are
 * locked.
 */
export async function removeManualSources(
  em: EntityManager,
  actor: Actor,
  { id: attributeId, number, name }: Pick<Attribute, 'id' | 'number' | 'name'>,
): Promise<void> {
  const removed = await tables(em, ProjectAttributeSource)
    .deleteFrom('project_attribute_source')
    .where('attribute_id', '=', attributeId)
    .where('type', '=', 'manual')
    .returning(['project_id', 'reason'])
    .execute();
  const projects = await locateProjects(
    em,
    removed.map((source) => source.project_id),
  );
  const id = customId('attribute', number);
  const activityInputs = removed.flatMap(({ project_id: projectId, reason }) => {
    const project = projects.get(projectId);
    return project ? [activityInput(REMOVED, project, { id, name, reason })] : [];
  });
  await recordActivity(em, actor, ...activityInputs);
}

/**
 * Takes back that someone added an attribute: the project keeps it for other reasons only. Throws `NotFound`,
 * `Forbidden`.
 */
export async function removeManualSource(
  em: EntityManager,
  actor: Actor,
  projectId: string,
  id: string,
): Promise<void> {
  const project = await projectToChange(em, actor, projectId, 'attributes');
  const source = manualSource(project, actor, id);
  const removed = await changedSource(
    em,
    id,
    sql`DELETE FROM project_attribute_source WHERE ${source} RETURNING attribute_id, reason`,
  );
  await recordActivity(em, actor, activityInput(REMOVED, project, removed));
  await refreshProjects(em, actor, [project.id]);
}
