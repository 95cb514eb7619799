import { type ApiClient, bodyOf } from './client.js';
import { unique } from './factories.js';

/** A URL that webhooks may have where nothing else is configured. */
export const WEBHOOK_URL = 'https://hooks.slack.com/services/T000/B000/XXXX';

/** A webhook as the API answers it. */
export interface Webhook {
  id: number;
  name: string;
  url: string;
  description: string;
  integration_type: string;
  active: boolean;
  created: string;
  updated: string;
}

/** A webhook's configuration as the API answers it. */
export interface WebhookConfig {
  id: number;
  webhook: number;
  event_source: string;
  active: boolean;
  created: string;
  updated: string;
}

/** Makes a webhook. */
export function makeWebhook(api: ApiClient, fields: object = {}): Promise<Webhook> {
  return bodyOf(api.post<Webhook>('/webhooks/', { name: unique('Webhook'), url: WEBHOOK_URL, ...fields }), 201);
}

/** Makes a webhook deliver the projects that are made. */
export function makeConfig(api: ApiClient, webhook: number, fields: object = {}): Promise<WebhookConfig> {
  return bodyOf(
    api.post<WebhookConfig>(`/webhooks/${webhook}/configs/`, { event_source: 'CreatedProjectActivity', ...fields }),
    201,
  );
}
