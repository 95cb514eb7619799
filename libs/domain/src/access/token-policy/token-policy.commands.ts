import type { EntityManager } from '@mikro-orm/postgresql';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { tables } from '../../kernel/tables.js';
import { Organization } from '../organization/organization.entity.js';
import type { TokenPolicyInput } from './token-policy.fields.js';

/** Changes what the actor's organization requires of new tokens. Existing tokens keep working. */
export async function changeTokenPolicy(
  em: EntityManager,
  actor: Actor,
  { max_days: maxDays, scopes_required: scopesRequired }: Partial<TokenPolicyInput>,
): Promise<void> {
  if (maxDays === undefined && scopesRequired === undefined) return;
  const { id, name } = await tables(em, Organization)
    .updateTable('organization')
    .set({
      ...(maxDays !== undefined && { token_max_days: maxDays }),
      ...(scopesRequired !== undefined && { token_scopes_required: scopesRequired }),
    })
    .where('id', '=', actor.organizationId)
    .returning(['id', 'name'])
    .executeTakeFirstOrThrow();
  await recordActivity(em, actor, { subject: 'token_policy', verb: 'Updated', id, title: name });
}
