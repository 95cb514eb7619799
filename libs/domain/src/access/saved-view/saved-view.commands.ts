import type { EntityManager } from '@mikro-orm/postgresql';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { Forbidden, Invalid, NotFound } from '../../kernel/domain-errors.js';
import { lockRule } from '../../kernel/lock.js';
import { numericId } from '../../kernel/row-to-change.js';
import { asJson, clockTime, tables } from '../../kernel/tables.js';
import { SavedView } from './saved-view.entity.js';
import { type SavedViewInput, MAX_VIEWS } from './saved-view.fields.js';

const record = (
  em: EntityManager,
  actor: Actor,
  verb: 'Created' | 'Updated' | 'Deleted',
  { id, name }: { readonly id: number; readonly name: string },
): Promise<void> => recordActivity(em, actor, { subject: 'saved_view', verb, id, title: name });

/** Saves a view of the actor; returns its id. Throws `Invalid` if the actor has too many. */
export async function createSavedView(em: EntityManager, actor: Actor, input: SavedViewInput): Promise<string> {
  await lockRule(em, 'saved views of a user', actor.id);
  const { count } = await tables(em, SavedView)
    .selectFrom('saved_view')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('user_id', '=', actor.id)
    .executeTakeFirstOrThrow();
  if (Number(count) >= MAX_VIEWS)
    throw new Invalid({ non_field_errors: [`You have ${MAX_VIEWS} saved views. Delete one first.`] });
  const { name, page, query, shared = false } = input;
  const { id } = await tables(em, SavedView)
    .insertInto('saved_view')
    .values({ organization_id: actor.organizationId, user_id: actor.id, name, page, query: asJson(query), shared })
    .returning('id')
    .executeTakeFirstOrThrow();
  await record(em, actor, 'Created', { id, name });
  return String(id);
}

const visibleView = (em: EntityManager, actor: Actor, id: string) =>
  tables(em, SavedView)
    .selectFrom('saved_view')
    .select(['id', 'name', 'user_id'])
    .where('id', '=', numericId(id))
    .where('organization_id', '=', actor.organizationId)
    .where((row) => row.or([row('user_id', '=', actor.id), row('shared', '=', true)]));

type View = Awaited<ReturnType<ReturnType<typeof visibleView>['executeTakeFirst']>>;

/**
 * The view, if the actor owns it. Throws `NotFound` if they can't see it, and `Forbidden` if someone else shares it.
 */
function owned(actor: Actor, view: View): NonNullable<View> {
  if (!view) throw new NotFound();
  if (view.user_id !== actor.id) throw new Forbidden('Only its owner may change or delete a saved view.');
  return view;
}

/** Throws `NotFound` if the actor can't see the view, and `Forbidden` if someone else shares it. */
export async function assertOwnView(em: EntityManager, actor: Actor, id: string): Promise<void> {
  owned(actor, await visibleView(em, actor, id).executeTakeFirst());
}

/** Changes a view of the actor. Throws `NotFound`, `Forbidden`. */
export async function updateSavedView(
  em: EntityManager,
  actor: Actor,
  id: string,
  { query, ...changes }: Partial<SavedViewInput>,
): Promise<void> {
  const view = owned(actor, await visibleView(em, actor, id).forUpdate().executeTakeFirst());
  if (query === undefined && Object.values(changes).every((value) => value === undefined)) return;
  await tables(em, SavedView)
    .updateTable('saved_view')
    .set({ ...changes, ...(query !== undefined && { query: asJson(query) }), updated_at: clockTime })
    .where('id', '=', view.id)
    .execute();
  await record(em, actor, 'Updated', { id: view.id, name: changes.name ?? view.name });
}

/** Deletes a view of the actor. Throws `NotFound`, `Forbidden`. */
export async function deleteSavedView(em: EntityManager, actor: Actor, id: string): Promise<void> {
  const view = owned(actor, await visibleView(em, actor, id).forUpdate().executeTakeFirst());
  await tables(em, SavedView).deleteFrom('saved_view').where('id', '=', view.id).execute();
  await record(em, actor, 'Deleted', view);
}
