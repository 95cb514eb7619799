import { randomBytes } from 'node:crypto';
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
import {
  PREVIOUS_SECRET_HOURS,
  WEBHOOK_SECRET_PURPOSE,
  WEBHOOK_URL_PURPOSE,
  type WebhookFormat,
  webhookTargetError,
} from './webhook.rules.js';
import type { WebhookChanges, WebhookInput } from './webhook.fields.js';

export interface WebhookDependencies {
  /** The hosts that `WEBHOOK_HOSTS` allows. */
  readonly hosts: readonly string[];
  readonly secrets: SecretBox;
}

/** Encrypts a URL for storage. Throws `Invalid` if messages of the format may not go there. */
function sealUrl(url: string, format: WebhookFormat, { hosts, secrets }: WebhookDependencies): string {
  const error = webhookTargetError(url, format, hosts);
  if (error !== undefined) throw new Invalid({ url: [error] });
  return secrets.seal(url, WEBHOOK_URL_PURPOSE);
}

const record = (em: EntityManager, actor: Actor, verb: Verb, { id, name }: Webhook): Promise<void> =>
  recordActivity(em, actor, { subject: 'webhook', verb, id, title: name });

const SECRET_BYTES = 32;

/** A new secret in the form of Standard Webhooks. */
const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

/** A webhook that was created or got a new secret, which is never shown again. */
export interface WebhookWithSecret {
  readonly id: string;
  /** Only of the format `standard`. */
  readonly secret: string | undefined;
}

/** Creates a webhook, with a secret if its messages are signed. Throws `Invalid`. */
export async function createWebhook(
  em: EntityManager,
  actor: Actor,
  input: WebhookInput,
  dependencies: WebhookDependencies,
): Promise<WebhookWithSecret> {
  const { format = 'slack' } = input;
  const secret = format === 'standard' ? newSecret() : undefined;
  const webhook = em.create(Webhook, {
    organizationId: actor.organizationId,
    name: input.name,
    format,
    sealedUrl: sealUrl(input.url, format, dependencies),
    sealedSecret: secret === undefined ? null : dependencies.secrets.seal(secret, WEBHOOK_SECRET_PURPOSE),
    description: input.description ?? '',
    active: input.active ?? true,
  });
  await em.flush();
  await createDeliveryQueue(em, webhook.id);
  await record(em, actor, 'Created', webhook);
  return { id: String(webhook.id), secret };
}

/**
 * Gives a webhook a new secret. For 24 hours, the previous one signs its messages as well, so that receivers can
 * change over. Throws `NotFound`, and `Invalid` if its messages are not signed.
 */
export async function rotateWebhookSecret(
  em: EntityManager,
  actor: Actor,
  id: string,
  { secrets }: Pick<WebhookDependencies, 'secrets'>,
): Promise<WebhookWithSecret> {
  const webhook = await rowToChange(em, actor, Webhook, id);
  if (webhook.format !== 'standard')
    throw new Invalid({ non_field_errors: ['Only webhooks of the format standard have a secret.'] });
  const secret = newSecret();
  em.assign(webhook, {
    sealedPreviousSecret: webhook.sealedSecret,
    previousSecretUntil: raw(`clock_timestamp() + make_interval(hours => ${PREVIOUS_SECRET_HOURS})`),
    sealedSecret: secrets.seal(secret, WEBHOOK_SECRET_PURPOSE),
    updatedAt: raw('clock_timestamp()'),
  });
  await em.flush();
  const { name: title } = webhook;
  await recordActivity(em, actor, { subject: 'webhook_secret', verb: 'Regenerated', id: webhook.id, title });
  return { id: String(webhook.id), secret };
}

/**
 * Changes a webhook. Deactivating it cancels its pending deliveries; activating it or changing its URL resets its
 * delivery queue. Throws `NotFound`, `Invalid`.
 */
export async function updateWebhook(
  em: EntityManager,
  actor: Actor,
  id: string,
  changes: WebhookChanges,
  dependencies: WebhookDependencies,
): Promise<void> {
  if (!Object.keys(changes).length) return;
  const webhook = await rowToChange(em, actor, Webhook, id);
  const { url, ...otherChanges } = changes;
  const switchedOn = changes.active === true && !webhook.active;
  em.assign(webhook, {
    ...otherChanges,
    ...(url !== undefined && { sealedUrl: sealUrl(url, webhook.format, dependencies) }),
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
