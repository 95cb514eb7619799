import type { EntityManager } from '@mikro-orm/postgresql';
import { recordActivity } from '../../activity/activity.js';
import { activationsOf, restorationOf } from '../../activity/activations.js';
import type { Actor } from '../../kernel/actor.js';
import { customId } from '../../kernel/item-id.js';
import {
  type MatchConditionInput,
  replaceMatchConditions,
  resolveMatchConditions,
} from '../match-condition/match-condition.commands.js';
import {
  changeVersion,
  deleteIdentity,
  firstVersion,
  newIdentity,
  restore,
  versionToChange,
  versionToRemove,
} from '../customization/customization.commands.js';
import { ErrorCollector } from '../../kernel/domain-errors.js';
import { newProvenanceOf, provenanceOf, type ProvenanceInput } from '../item-reference/provenance.js';
import { ThreatVersion } from './threat.entity.js';
import { resolveThreatReferences, type ThreatReferences } from './threat.references.js';

/** A threat as a client gives it, checked for shape: public ids, JSON's names. */
export interface ThreatInput extends ThreatReferences, ProvenanceInput {
  readonly title: string;
  readonly text: string;
  readonly severity: number;
  readonly match_conditions?: readonly MatchConditionInput[];
  readonly active?: boolean;
}

/** Finds what the input refers to. Throws `Invalid` with everything that does not exist. */
async function resolveReferences(em: EntityManager, actor: Actor, input: Partial<ThreatInput>) {
  const findings = new ErrorCollector();
  const references = await resolveThreatReferences(em, actor, input, findings);
  const conditions = await findings.of(resolveMatchConditions(em, actor, input.match_conditions));
  findings.refuse();
  return { references, conditions };
}

/** Makes a custom threat; returns its public id. Throws `Invalid`. */
export async function createThreat(em: EntityManager, actor: Actor, input: ThreatInput): Promise<string> {
  const { references, conditions } = await resolveReferences(em, actor, input);
  const { identity, number } = await newIdentity(em, actor, 'threat');
  const version = em.create(ThreatVersion, {
    ...firstVersion(actor, number),
    threatId: identity,
    title: input.title,
    text: input.text,
    severity: input.severity,
    active: input.active ?? true,
    capecs: [],
    problems: [],
    maestro: [],
    mitreAttack: [],
    mitreEmb3d: [],
    stride: [],
    ...references,
    ...newProvenanceOf(input),
  });
  await em.flush();
  if (conditions?.length) await replaceMatchConditions(em, actor, 'threat', version.id, conditions);
  const id = customId('threat', number);
  await recordActivity(em, actor, { subject: 'threat', verb: 'Created', id, title: version.title });
  return id;
}

/** Changes a threat: a built-in one for the actor's organization alone. Throws `NotFound`, `Invalid`. */
export async function updateThreat(
  em: EntityManager,
  actor: Actor,
  id: string,
  changes: Partial<ThreatInput>,
): Promise<void> {
  if (!Object.keys(changes).length) return;
  const version = await versionToChange(em, actor, 'threat', ThreatVersion, id);
  const { references, conditions } = await resolveReferences(em, actor, changes);
  const { title, text, severity, active } = changes;
  const values = { title, text, severity, active, ...references, ...provenanceOf(changes) };
  const changed = await changeVersion(em, actor, ThreatVersion, version, values, Object.keys(changes));
  if (conditions) await replaceMatchConditions(em, actor, 'threat', version.id, conditions);
  await recordActivity(em, actor, ...activationsOf('threat', { id, title: changed.title }, changes, version.active));
}

/**
 * Deletes a custom threat with all that hangs on it; drops the organization's version of a built-in one. Throws
 * `NotFound`, and `Forbidden` for a built-in one without changes.
 */
export async function removeThreat(em: EntityManager, actor: Actor, id: string): Promise<void> {
  const version = await versionToRemove(em, actor, 'threat', id);
  if (!version.isCustom) {
    const original = await restore(em, 'threat', version);
    return recordActivity(em, actor, ...restorationOf('threat', { id }, version, original));
  }
  await deleteIdentity(em, 'threat', version.identity);
  return recordActivity(em, actor, { subject: 'threat', verb: 'Deleted', id, title: version.title });
}
