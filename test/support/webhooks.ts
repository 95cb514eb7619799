import { setTimeout as sleep } from 'node:timers/promises';

import { EntityManager } from '@mikro-orm/postgresql';

import { recordActivity } from '#domain/activity/activity.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { findActor } from '#domain/access/user/principal.js';
import { MAX_HORIZON_WAIT_SECONDS } from '#domain/notifications/webhook/delivery.work.js';
import type { TestApi, TestOrganization } from './api.js';
import { type ApiClient, bodyOf, rowsOf } from './client.js';
import { unique } from './factories.js';
import type { Receiver } from './receiver.js';
import type { List } from './resources.js';

/** A URL that the default configuration allows. */
export const WEBHOOK_URL = 'https://hooks.slack.com/services/T000/B000/XXXX';

/** A webhook as the API returns it. */
export interface Webhook {
  id: number;
  name: string;
  url: string;
  description: string;
  integration_type: string;
  format: string;
  /** Shown only by the requests that make it. */
  secret?: string;
  active: boolean;
  created: string;
  updated: string;
}

/** A webhook's configuration as the API returns it. */
export interface WebhookConfig {
  id: number;
  webhook: number;
  event_source: string;
  active: boolean;
  created: string;
  updated: string;
}

/** Creates a webhook. */
export function makeWebhook(api: ApiClient, fields: object = {}): Promise<Webhook> {
  return bodyOf(api.post<Webhook>('/webhooks/', { name: unique('Webhook'), url: WEBHOOK_URL, ...fields }), 201);
}

/** Configures a webhook to deliver new projects. */
export function makeConfig(api: ApiClient, webhook: number, fields: object = {}): Promise<WebhookConfig> {
  return bodyOf(
    api.post<WebhookConfig>(`/webhooks/${webhook}/configs/`, { event_source: 'CreatedProjectActivity', ...fields }),
    201,
  );
}

/** A delivery as the API returns it. */
export interface Delivery {
  id: number;
  status: 'pending' | 'delivered' | 'failed' | 'cancelled';
  attempts: number;
  response_status: number | null;
  error: string | null;
  created: string;
  delivered: string | null;
  next_attempt: string | null;
  activity: number;
}

/** Environment of an API and its workers that deliver to a receiver, with shorter times than in production. */
export const deliverySettings = (receiver: Receiver): Record<string, string> => ({
  WEBHOOK_HOSTS: `hooks.slack.com,${receiver.host}`,
  WEBHOOK_ALLOW_PRIVATE: 'true',
  WEBHOOK_PACE_MILLISECONDS: '20',
  // A response that a busy machine delays must not count as a failure, which would send the message again.
  WEBHOOK_TIMEOUT_SECONDS: '20',
  WEBHOOK_RETRY_SECONDS: '0.1,0.1,0.2,0.3,0.3',
  PUBLIC_URL: 'https://merlon.example.com',
});

/** Creates a webhook that delivers new projects to the receiver. */
export async function makeDeliveringWebhook(
  api: ApiClient,
  receiver: Receiver,
  name = unique('hook'),
): Promise<Webhook> {
  const webhook = await makeWebhook(api, { name, url: receiver.url(encodeURIComponent(name)) });
  await makeConfig(api, webhook.id);
  return webhook;
}

/** The pending and finished deliveries of a webhook, oldest first. */
export const deliveriesOf = async (api: ApiClient, webhook: number): Promise<Delivery[]> =>
  rowsOf(api.get<List<Delivery>>(`/webhooks/${webhook}/deliveries/`, { ordering: 'id', page_size: 1000 }));

/**
 * Waits until a webhook's deliveries satisfy the condition. The time limit is longer than a delivery waits for earlier
 * transactions of the whole server: other suites use the same server, and some keep a transaction open on purpose.
 */
export async function deliveriesWhere(
  api: ApiClient,
  webhook: number,
  holds: (deliveries: Delivery[]) => boolean,
  seconds = MAX_HORIZON_WAIT_SECONDS + 15,
): Promise<Delivery[]> {
  for (const deadline = Date.now() + seconds * 1000; ; await sleep(30)) {
    const deliveries = await deliveriesOf(api, webhook);
    if (holds(deliveries)) return deliveries;
    if (Date.now() > deadline) throw new Error(`The deliveries are ${JSON.stringify(deliveries.slice(0, 20))}`);
  }
}

/** Whether there are this many deliveries, all in this state. */
export const allAre =
  (status: Delivery['status'], count = 1) =>
  (deliveries: Delivery[]): boolean =>
    deliveries.length === count && deliveries.every((delivery) => delivery.status === status);

/** Writes the activity of a new project, as the command that creates one does. */
export const recordNewProject = (
  test: TestApi,
  name: string,
  { organization = test.organization, after }: { organization?: TestOrganization; after?: () => Promise<void> } = {},
): Promise<void> =>
  inTransaction(test.running.app.get(EntityManager), { organizationId: organization.id }, async (em) => {
    const actor = await findActor(em, organization.admin.id);
    if (!actor) throw new Error('The organization has no super-user.');
    await recordActivity(em, actor, {
      subject: 'project',
      verb: 'Created',
      id: 7,
      title: name,
      also: { application: { id: 3, description: 'Shop' }, business_unit: { id: 1, description: 'Sales' } },
    });
    await after?.();
  });
