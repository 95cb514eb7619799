import { raw } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { SecretBox } from '#platform/crypto/secret-box.js';
import type { Verb } from '../../activity/activities.js';
import { recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { rowToChange } from '../../kernel/row-to-change.js';
import { Invalid } from '../../kernel/domain-errors.js';
import { cancelDeliveries } from './delivery.commands.js';
import { createDeliveryQueue, resetDeliveryQueue } from './delivery-queue.js';
import { removedConfigActivities } from './webhook-config.commands.js';
import { Webhook } from './webhook.entity.js';
import { WEBHOOK_URL_PURPOSE, webhookHostError } from './webhook.rules.js';
import type { WebhookInput } from './webhook.fields.js';

export interface WebhookDependencies {
  /** The hosts that `WEBHOOK_HOSTS` allows. */
  readonly hosts: readonly string[];
  readonly secrets: SecretBox;
}

/** Encrypts a URL for storage. Throws `Invalid` if its host is not allowed. */
function sealUrl(url: string, { hosts, secrets }: WebhookDependencies): string {
  const error = webhookHostError(url, hosts);
  if (error !== undefined) throw new Invalid({ url: [error] });
  return secrets.seal(url, WEBHOOK_URL_PURPOSE);
}

const record = (em: EntityManager, actor: Actor, verb: Verb, { id, name }: Webhook): Promise<void> =>
  recordActivity(em, actor, { subject: 'webhook', verb, id, title: name });

/** Creates a webhook; returns its id. Throws `Invalid`. */
export async function createWebhook(
  em: EntityManager,
  actor: Actor,
  input: WebhookInput,
  dependencies: WebhookDependencies,
): Promise<string> {
  const webhook = em.create(Webhook, {
    organizationId: actor.organizationId,
    name: input.name,
    sealedUrl: sealUrl(input.url, dependencies),
    description: input.description ?? '',
    active: input.active ?? true,
  });
  await em.flush();
  await createDeliveryQueue(em, webhook.id);
  await record(em, actor, 'Created', webhook);
  return String(webhook.id);
}

/**
 * Changes a webhook. Deactivating it cancels its pending deliveries; activating it or changing its URL resets its
 * delivery queue. Throws `NotFound`, `Invalid`.
 */
export async function updateWebhook(
  em: EntityManager,
  actor: Actor,
  id: string,
  changes: Partial<WebhookInput>,
  dependencies: WebhookDependencies,
): Promise<void> {
  if (!Object.keys(changes).length) return;
  const webhook = await rowToChange(em, actor, Webhook, id);
  const { url, ...otherChanges } = changes;
  const switchedOn = changes.active === true && !webhook.active;
  em.assign(webhook, {
    ...otherChanges,
    ...(url !== undefined && { sealedUrl: sealUrl(url, dependencies) }),
    updatedAt: raw('clock_timestamp()'),
  });
  await em.flush();
  // Lock the delivery queue before its deliveries, in the same order as the workers.
  if (switchedOn || url !== undefined) await resetDeliveryQueue(em, webhook.id);
  if (!webhook.active) await cancelDeliveries(em, webhook.id);
  await record(em, actor, 'Updated', webhook);
}

/** Deletes a webhook with its configurations and deliveries. Throws `NotFound`. */
export async function removeWebhook(em: EntityManager, actor: Actor, id: string): Promise<void> {
  const webhook = await rowToChange(em, actor, Webhook, id);
  const { id: webhookId, name } = webhook;
  const configs = await removedConfigActivities(em, webhook);
  await em.remove(webhook).flush();
  await recordActivity(em, actor, ...configs, { subject: 'webhook', verb: 'Deleted', id: webhookId, title: name });
}
