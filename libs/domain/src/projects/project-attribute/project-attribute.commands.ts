import type { EntityManager, InferKyselyDB } from '@mikro-orm/postgresql';
import { type ExpressionBuilder, sql } from 'kysely';
import { type ActivityInput, recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { Attribute } from '../../library/attribute/attribute.entity.js';
import { customId, idShape } from '../../kernel/item-id.js';
import { authorOf } from '../../kernel/operator.js';
import { tables } from '../../kernel/tables.js';
import { findAndLockIdentities } from '../../kernel/items/find-identities.js';
import { builtInOrCustom } from '../../kernel/built-in.sql.js';
import { type FoundProject, inProject, type LocatedProject, projectToChange } from '../project-access/find-project.js';
import { findLocatedProjects } from '../hierarchy/located-projects.js';
import { refreshProjects } from '../project-content/refresh-project.js';
import { type FieldErrors, Invalid, missingMessages, NotFound } from '../../kernel/domain-errors.js';
import { ProjectAttributeSource } from './project-attribute.entity.js';

export interface AddedAttribute {
  readonly id: string;
  readonly reason?: string;
}

type ActivityKind = Pick<ActivityInput, 'subject' | 'verb'>;

const ADDED: ActivityKind = { subject: 'project_attribute', verb: 'Created' };
const REMOVED: ActivityKind = { subject: 'project_attribute', verb: 'Deleted' };
const REASON_CHANGED: ActivityKind = { subject: 'project_attribute_reason', verb: 'Modified' };

const activityInput = (
  kind: ActivityKind,
  project: LocatedProject,
  { id, name, reason }: { readonly id: string; readonly name: string; readonly reason: string },
): ActivityInput => ({
  ...kind,
  id,
  title: name,
  also: { ...inProject(project), reason: { id: reason, description: reason } },
});

interface ResolvedAttribute {
  /** Internal id. */
  readonly attribute: number;
  readonly reason: string | undefined;
}

/** Resolves entries, without duplicates. Throws `Invalid` with the errors of each entry. */
async function resolveAttributes(
  em: EntityManager,
  actor: Actor,
  entries: readonly AddedAttribute[],
): Promise<ResolvedAttribute[]> {
  const attributeIds = await findAndLockIdentities(
    em,
    actor,
    'attribute',
    entries.map(({ id }) => id),
  );
  const resolved = new Map<string, ResolvedAttribute>();
  const errors = entries.map(({ id, reason }): FieldErrors => {
    const attribute = attributeIds.get(id);
    if (attribute === undefined) return { id: missingMessages(id) };
    const previousReason = resolved.get(id)?.reason;
    if (reason !== undefined && previousReason !== undefined && reason !== previousReason)
      return { reason: ['The same attribute is listed with another reason.'] };
    resolved.set(id, { attribute, reason: reason ?? previousReason });
    return {};
  });
  if (errors.some((error) => Object.keys(error).length)) throw new Invalid({ attributes: errors });
  return [...resolved.values()];
}

/**
 * Adds attributes to a project manually, all or none. One that was already added keeps its reason unless another is
 * sent. Throws `NotFound`, `Forbidden`, `Invalid`.
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
    WITH input AS (
      SELECT g.attribute, g.reason
        FROM json_to_recordset(${JSON.stringify(values)}::json) AS g(attribute bigint, reason text)),
    updated AS (
      UPDATE project_attribute_source s SET reason = input.reason FROM input
      WHERE s.project_id = ${project.id} AND s.attribute_id = input.attribute AND s.type = 'manual'
        AND input.reason IS NOT NULL AND s.reason <> input.reason
      RETURNING s.attribute_id, s.reason, false AS added),
    added AS (
      INSERT INTO project_attribute_source (project_id, attribute_id, type, reason, added_by)
      SELECT ${project.id}::bigint, input.attribute, 'manual', coalesce(input.reason, ''), ${authorOf(actor)}::bigint
      FROM input
      ON CONFLICT DO NOTHING RETURNING attribute_id, reason, true AS added)
    SELECT a.item_id, a.name, changed.reason, changed.added
    FROM (SELECT * FROM updated UNION ALL SELECT * FROM added) changed JOIN attribute a ON a.id = changed.attribute_id
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

type Source = ExpressionBuilder<
  InferKyselyDB<typeof ProjectAttributeSource | typeof Attribute>,
  'project_attribute_source'
>;

/** The name of a source's attribute. */
const attributeName = (source: Source) =>
  source
    .selectFrom('attribute as a')
    .select('a.name')
    .whereRef('a.id', '=', 'project_attribute_source.attribute_id')
    .$asScalar()
    .$notNull()
    .as('name');

/** The condition for the manual source of the attribute with this public id. Throws `NotFound`. */
const manualSource = (project: FoundProject, actor: Actor, id: string) => {
  if (!idShape('attribute').test(id)) throw new NotFound();
  return (source: Source) =>
    source.and([
      source('project_id', '=', project.id),
      source('type', '=', 'manual'),
      source(
        'attribute_id',
        '=',
        source
          .selectFrom('attribute as a')
          .select('a.id')
          .where('a.item_id', '=', id)
          .where(builtInOrCustom('a', { organization: actor.organizationId })),
      ),
    ]);
};

/** Changes the reason of an attribute that was added manually. Throws `NotFound`, `Forbidden`. */
export async function changeReason(
  em: EntityManager,
  actor: Actor,
  projectId: string,
  id: string,
  reason: string | undefined,
): Promise<void> {
  const project = await projectToChange(em, actor, projectId, 'attributes');
  const isSource = manualSource(project, actor, id);
  const database = tables(em, ProjectAttributeSource, Attribute);
  if (reason === undefined) {
    const source = await database
      .selectFrom('project_attribute_source')
      .select('type')
      .where(isSource)
      .executeTakeFirst();
    if (!source) throw new NotFound();
    return;
  }
  const changed = await database
    .updateTable('project_attribute_source')
    .set({ reason })
    .where(isSource)
    .returning((source) => ['reason', attributeName(source)])
    .executeTakeFirst();
  if (!changed) throw new NotFound();
  await recordActivity(em, actor, activityInput(REASON_CHANGED, project, { id, ...changed }));
}

/** Removes the manual sources of a custom attribute that is about to be deleted. The projects are locked. */
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
  const projects = await findLocatedProjects(
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

/** Removes the manual source of an attribute, which may have other sources. Throws `NotFound`, `Forbidden`. */
export async function removeManualSource(
  em: EntityManager,
  actor: Actor,
  projectId: string,
  id: string,
): Promise<void> {
  const project = await projectToChange(em, actor, projectId, 'attributes');
  const removed = await tables(em, ProjectAttributeSource, Attribute)
    .deleteFrom('project_attribute_source')
    .where(manualSource(project, actor, id))
    .returning((source) => ['reason', attributeName(source)])
    .executeTakeFirst();
  if (!removed) throw new NotFound();
  await recordActivity(em, actor, activityInput(REMOVED, project, { id, ...removed }));
  await refreshProjects(em, actor, [project.id]);
}
