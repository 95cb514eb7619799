import { raw } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Verb } from '../../activity/activities.js';
import { type ActivityInput, recordActivity } from '../../activity/activity.js';
import type { Actor } from '../../kernel/actor.js';
import { numericId, rowToChange } from '../../kernel/row-to-change.js';
import { Invalid, NotFound } from '../../kernel/domain-errors.js';
import { cancelDeliveries } from './delivery.commands.js';
import { Webhook, WebhookConfig } from './webhook.entity.js';
import type { WebhookConfigInput } from './webhook.fields.js';
import { type EventSource, webhookEventError } from './webhook.rules.js';

const activityInput = (verb: Verb, { id, name }: Webhook): ActivityInput => ({
  subject: 'webhook_config',
  verb,
  id,
  title: name,
});

const record = (em: EntityManager, actor: Actor, verb: Verb, webhook: Webhook): Promise<void> =>
  recordActivity(em, actor, activityInput(verb, webhook));

/** The activities to record for the configurations that are deleted together with a webhook. */
export async function removedConfigActivities(em: EntityManager, webhook: Webhook): Promise<ActivityInput[]> {
  const count = await em.count(WebhookConfig, { webhookId: webhook.id });
  return Array.from({ length: count }, () => activityInput('Deleted', webhook));
}

/**
 * Throws `Invalid` if the webhook can't report this event, or if another of its configurations has it. The webhook is
 * locked.
 */
async function assertNewEvent(
  em: EntityManager,
  webhook: Webhook,
  eventSource: EventSource,
  configId = 0,
): Promise<void> {
  const error = webhookEventError(webhook.format, eventSource);
  if (error !== undefined) throw new Invalid({ event_source: [error] });
  const other = await em.findOne(WebhookConfig, { webhookId: webhook.id, eventSource, id: { $ne: configId } });
  if (other) throw new Invalid({ event_source: ['This webhook already has a configuration for this event.'] });
}

/** Finds a configuration and locks its webhook. Throws `NotFound`. */
async function findConfig(
  em: EntityManager,
  actor: Actor,
  webhookId: string,
  id: string,
): Promise<{ webhook: Webhook; config: WebhookConfig }> {
  const webhook = await rowToChange(em, actor, Webhook, webhookId);
  const config = await em.findOne(WebhookConfig, { id: numericId(id), webhookId: webhook.id });
  if (!config) throw new NotFound();
  return { webhook, config };
}

/** Creates a configuration; returns its id. Throws `NotFound`, `Invalid`. */
export async function createWebhookConfig(
  em: EntityManager,
  actor: Actor,
  webhookId: string,
  input: WebhookConfigInput,
): Promise<string> {
  const webhook = await rowToChange(em, actor, Webhook, webhookId);
  await assertNewEvent(em, webhook, input.event_source);
  const config = em.create(WebhookConfig, {
    webhookId: webhook.id,
    eventSource: input.event_source,
    active: input.active ?? true,
  });
  await em.flush();
  await record(em, actor, 'Created', webhook);
  return String(config.id);
}

/** Changes a configuration, and cancels deliveries of an event that it drops. Throws `NotFound`, `Invalid`. */
export async function updateWebhookConfig(
  em: EntityManager,
  actor: Actor,
  webhookId: string,
  id: string,
  { event_source: eventSource, active }: Partial<WebhookConfigInput>,
): Promise<void> {
  if (eventSource === undefined && active === undefined) return;
  const { webhook, config } = await findConfig(em, actor, webhookId, id);
  if (eventSource !== undefined) await assertNewEvent(em, webhook, eventSource, config.id);
  const previousSource = config.eventSource;
  em.assign(config, {
    ...(eventSource !== undefined && { eventSource }),
    ...(active !== undefined && { active }),
    updatedAt: raw('clock_timestamp()'),
  });
  await em.flush();
  if (!config.active || config.eventSource !== previousSource) await cancelDeliveries(em, webhook.id, previousSource);
  await record(em, actor, 'Updated', webhook);
}

/** Deletes a configuration and cancels its pending deliveries. Throws `NotFound`. */
export async function removeWebhookConfig(
  em: EntityManager,
  actor: Actor,
  webhookId: string,
  id: string,
): Promise<void> {
  const { webhook, config } = await findConfig(em, actor, webhookId, id);
  const { eventSource } = config;
  await em.remove(config).flush();
  await cancelDeliveries(em, webhook.id, eventSource);
  await record(em, actor, 'Deleted', webhook);
}
