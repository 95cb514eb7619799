import { raw } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { SecretBox } from '#platform/crypto/secret-box.js';
import type { Verb } from '../../activity/activities.js';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { rowToChange } from '../../kernel/row-to-change.js';
import { Invalid } from '../../kernel/domain-errors.js';
import { cancelDeliveries } from './delivery.commands.js';
import { openDeliveryQueue, restartDeliveryQueue } from './delivery-queue.js';
import { describeRemovedConfigs } from './webhook-config.commands.js';
import { Webhook } from './webhook.entity.js';
import { WEBHOOK_URL_PURPOSE, webhookHostProblem } from './webhook.rules.js';
import type { WebhookInput } from './webhook.fields.js';

/** What the rules of webhooks depend on beyond the input. */
export interface WebhookDependencies {
  /** Hosts that may be posted to: `WEBHOOK_HOSTS`. */
  readonly hosts: readonly string[];
  readonly secrets: SecretBox;
}

/** The URL as it is stored. Throws `Invalid` where its host is not allowed. */
function sealUrl(url: string, { hosts, secrets }: WebhookDependencies): string {
  const problem = webhookHostProblem(url, hosts);
  if (problem !== undefined) throw new Invalid({ url: [problem] });
  return secrets.seal(url, WEBHOOK_URL_PURPOSE);
}

const record = (em: EntityManager, actor: Actor, verb: Verb, { id, name }: Webhook): Promise<void> =>
  recordActivity(em, actor, { subject: 'webhook', verb, id, title: name });

/** Makes a webhook; returns its id. Throws `Invalid`. */
export async function createWebhook(
  em: EntityManager,
  actor: Actor,
  input: WebhookInput,
  means: WebhookDependencies,
): Promise<string> {
  const webhook = em.create(Webhook, {
    organizationId: actor.organizationId,
    name: input.name,
    sealedUrl: sealUrl(input.url, means),
    description: input.description ?? '',
    active: input.active ?? true,
  });
  await em.flush();
  await openDeliveryQueue(em, webhook.id);
  await record(em, actor, 'Created', webhook);
  return String(webhook.id);
}

/**
 * Changes a webhook. Switched off, it sends nothing any more, not even what waits; with a new URL, or switched on
 * again, it has a new start. Throws `NotFound`, `Invalid`.
 */
export async function updateWebhook(
  em: EntityManager,
  actor: Actor,
  id: string,
  changes: Partial<WebhookInput>,
  means: WebhookDependencies,
): Promise<void> {
  if (!Object.keys(changes).length) return;
  const webhook = await rowToChange(em, actor, Webhook, id);
  const { url, ...plain } = changes;
  const switchedOn = changes.active === true && !webhook.active;
  em.assign(webhook, {
    ...plain,
    ...(url !== undefined && { sealedUrl: sealUrl(url, means) }),
    updatedAt: raw('clock_timestamp()'),
  });
  await em.flush();
  // The delivery queue before its deliveries, as workers lock them.
  if (switchedOn || url !== undefined) await restartDeliveryQueue(em, webhook.id);
  if (!webhook.active) await cancelDeliveries(em, webhook.id);
  await record(em, actor, 'Updated', webhook);
}

/** Deletes a webhook with its configurations and deliveries. Throws `NotFound`. */
export async function removeWebhook(em: EntityManager, actor: Actor, id: string): Promise<void> {
  const webhook = await rowToChange(em, actor, Webhook, id);
  const { id: webhookId, name } = webhook;
  const configs = await describeRemovedConfigs(em, webhook);
  await em.remove(webhook).flush();
  await recordActivity(em, actor, ...configs, { subject: 'webhook', verb: 'Deleted', id: webhookId, title: name });
}
