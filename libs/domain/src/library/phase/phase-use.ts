import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import type { Actor } from '../../kernel/actor.js';
import { Invalid } from '../../kernel/domain-errors.js';

/**
 * All kinds of items that can use a custom phase: the kind in messages, and a query for the ids or names of those that
 * use it.
 */
const USES: readonly { readonly words: string; readonly ids: (actor: Actor, phaseId: number) => Sql }[] = [
  {
    words: 'countermeasure',
    ids: ({ organizationId }, phaseId) =>
      sql`SELECT item_id FROM countermeasure_version WHERE organization_id = ${organizationId} AND phase_id = ${phaseId}
        ORDER BY is_custom, number`,
  },
  {
    words: 'project countermeasure',
    ids: ({ organizationId }, phaseId) =>
      sql`SELECT project_id || '-PT' || number AS item_id FROM project_countermeasure
        WHERE organization_id = ${organizationId} AND phase_id = ${phaseId} ORDER BY project_id, number`,
  },
  {
    words: 'risk-policy filter',
    ids: ({ organizationId }, phaseId) =>
      sql`SELECT policy.name AS item_id FROM risk_policy policy JOIN phase ON phase.id = ${phaseId}
        WHERE policy.organization_id = ${organizationId} AND policy.filters -> 'phases' ? phase.item_id
          ORDER BY lower(policy.name)`,
  },
];

/** Maximum number of ids in the message. */
const MAXIMUM_LISTED_IDS = 10;

const phrase = (words: string, ids: readonly string[]): string =>
  `${ids.length} ${words}${ids.length === 1 ? '' : 's'} ` +
  `(${ids.slice(0, MAXIMUM_LISTED_IDS).join(', ')}${ids.length > MAXIMUM_LISTED_IDS ? ', …' : ''})`;

/** Throws `Invalid`, listing the uses, if the phase is in use. */
export async function assertUnused(em: EntityManager, actor: Actor, phaseId: number): Promise<void> {
  const users: string[] = [];
  for (const { words, ids } of USES) {
    const { rows } = await sql<{ item_id: string }>`${ids(actor, phaseId)}`.execute(em.getKysely());
    if (rows.length)
      users.push(
        phrase(
          words,
          rows.map((row) => row.item_id),
        ),
      );
  }
  if (!users.length) return;
  throw new Invalid({
    non_field_errors: [`This phase is in use by ${users.join(' and ')}. Assign them another one first.`],
  });
}
