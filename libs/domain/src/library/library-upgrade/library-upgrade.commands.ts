import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { activationsOf } from '../../activity/activations.js';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { parentReference, findParentItem } from '../countermeasure/part.commands.js';
import { assertFlag } from '../../access/flag/flags.js';
import { changeVersions } from '../../kernel/items/item-versions.js';
import { authorOf } from '../../kernel/operator.js';
import { tables } from '../../kernel/tables.js';
import { copyConditions, type Version } from '../customization/customization.commands.js';
import type { CustomizableKind } from '../customization/customization.sql.js';
import { builtInOrCustom } from '../../kernel/built-in.sql.js';
import { Invalid, NotFound } from '../../kernel/domain-errors.js';
import { claimTitle } from '../weakness/weakness.commands.js';
import { ReleaseChange } from './library-release.entity.js';
import { LibraryUpgrade } from './library-upgrade.entity.js';
import { libraryUpgradeMachine } from './library-upgrade.machine.js';
import { builtInField, assignmentsOf } from './built-in-fields.js';
import { deactivateCountermeasures } from '../countermeasure/weakness-changes.js';
import { numericId } from '../../kernel/row-to-change.js';

export const RESOLUTIONS = ['take', 'keep'] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

/** Finds a change of a release. `both`: whether the organization had changed the field too. */
async function findChange(em: EntityManager, actor: Actor, id: string) {
  const change = await tables(em, ReleaseChange, LibraryUpgrade)
    .selectFrom('release_change as c')
    .leftJoin('library_upgrade as u', (on) =>
      on.onRef('u.release_change_id', '=', 'c.id').on('u.organization_id', '=', actor.organizationId),
    )
    .select(['c.id', 'c.kind', 'c.identity', 'c.item_id', 'c.field', (row) => row('u.id', 'is not', null).as('both')])
    .where('c.id', '=', numericId(id))
    .$narrowType<{ kind: CustomizableKind }>()
    .executeTakeFirst();
  if (!change) throw new NotFound();
  return change;
}
type Change = Awaited<ReturnType<typeof findChange>>;

type UpgradedVersion = Pick<Version, 'id' | 'title' | 'active'>;

/** Locks the organization's version of an item and its original. */
async function findVersions(
  em: EntityManager,
  actor: Actor,
  { kind, identity }: Change,
): Promise<{ own: UpgradedVersion; builtIn: UpgradedVersion }> {
  const { rows } = await sql<UpgradedVersion & { own: boolean }>`
    SELECT v.id, v.title, v.active, v.organization_id IS NOT NULL AS own FROM ${sql.table(`${kind}_version`)} v
    WHERE ${sql.ref(`v.${kind}_id`)} = ${identity}::bigint
      AND ${builtInOrCustom('v', { organization: actor.organizationId })}
    ORDER BY own DESC FOR UPDATE`.execute(em.getKysely());
  const [own, builtIn] = rows;
  // The original has just been restored, so there is nothing to decide.
  if (!own?.own || !builtIn) throw new NotFound();
  return { own, builtIn };
}

/** Further items that activities of a part reference: its countermeasure. */
async function referencesOfPart(em: EntityManager, actor: Actor, { kind, identity }: Change) {
  if (kind !== 'additional_requirement' && kind !== 'how_to') return {};
  const { rows } = await sql<{ item_id: string }>`
    SELECT c.item_id FROM ${sql.table(kind)} p JOIN countermeasure c ON c.id = p.countermeasure_id
    WHERE p.id = ${identity}::bigint`.execute(em.getKysely());
  return { also: parentReference(await findParentItem(em, actor, rows[0]?.item_id ?? '')) };
}

/**
 * Decides on a field that both a release and the organization have changed. `take` copies the built-in value to the
 * organization's version, and later releases may change it again; `keep` leaves it unchanged. Throws `NotFound`,
 * `Invalid` if the upgrade is not open or violates a rule of the item, and `Forbidden` if the flag for the field is
 * off.
 */
export async function resolveUpgrade(
  em: EntityManager,
  actor: Actor,
  id: string,
  resolution: Resolution,
): Promise<void> {
  const change = await findChange(em, actor, id);
  if (!change.both) throw new Invalid({ status: ["The upgrade's status is applied. It must be open."] });
  const { own, builtIn } = await findVersions(em, actor, change);
  const { linkedFields } = builtInField(change.kind, change.field);
  const decided = sql`resolved_at = clock_timestamp(), resolved_by = ${authorOf(actor)}`;
  const where = sql`item.release_change_id = ${change.id}::bigint AND item.organization_id = ${actor.organizationId}`;
  await libraryUpgradeMachine.move(em, where, [{ move: resolution, set: decided }]);
  const item = { id: change.item_id, ...(await referencesOfPart(em, actor, change)) };
  if (resolution === 'keep')
    return recordActivity(em, actor, { subject: change.kind, verb: 'Updated', title: own.title, ...item });

  await checkWeakness(em, actor, change, builtIn);
  await takeField(em, actor, change, own);
  // Linked fields are taken together.
  if (linkedFields.length > 1)
    await libraryUpgradeMachine.tryMove(em, 'take', {
      where: sql`item.organization_id = ${actor.organizationId} AND item.release_change_id IN (
        SELECT c.id FROM release_change c
        WHERE c.kind = ${change.kind} AND c.identity = ${change.identity}::bigint
          AND c.field = ANY(${linkedFields}::text[]))`,
      set: decided,
    });
  const isSwitch = change.field === 'active' || change.field === 'hidden';
  const switches = isSwitch ? { active: builtIn.active } : { [change.field]: true };
  const title = change.field === 'title' ? builtIn.title : own.title;
  await recordActivity(em, actor, ...activationsOf(change.kind, { title, ...item }, switches, own.active));
  if (change.kind === 'weakness' && isSwitch && !builtIn.active)
    await deactivateCountermeasures(em, actor, change.identity);
}

/** Applies the rules of weaknesses to the change. */
async function checkWeakness(
  em: EntityManager,
  actor: Actor,
  { kind, field, item_id: id }: Change,
  builtIn: UpgradedVersion,
): Promise<void> {
  if (kind !== 'weakness') return;
  if (field === 'active') assertFlag(actor, 'ENABLE_MODIFY_WEAKNESS_ACTIVE_STATUS');
  if (field === 'title') await claimTitle(em, actor, builtIn.title, id);
}

async function takeField(
  em: EntityManager,
  actor: Actor,
  { kind, field }: Change,
  own: UpgradedVersion,
): Promise<void> {
  const { linkedFields, ...builtIn } = builtInField(kind, field);
  await changeVersions(em, actor, kind, {
    set: assignmentsOf(builtIn),
    from: 'original',
    where: sql`item.id = ${own.id}::bigint`,
    restored: linkedFields,
  });
  if (builtIn.columns.length) return;
  await sql`DELETE FROM match_condition WHERE ${sql.ref(`${kind}_version_id`)} = ${own.id}::bigint`.execute(
    em.getKysely(),
  );
  await copyConditions(em, kind, [own.id]);
}
