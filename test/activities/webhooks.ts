import { makeConfig, makeWebhook, WEBHOOK_URL } from '../support/webhooks.js';
import { expectingActivities, type Writing } from './writing.js';

const webhook = expectingActivities('webhook', 'admin', 'webhook');

/** Writing operations of webhooks, with the activities that each must record. */
export const WEBHOOK_WRITINGS: readonly Writing[] = [
  {
    operation: 'POST /webhooks/',
    activities: [webhook('CreatedWebhookActivity')],
    prepare:
      async ({ api }) =>
      () =>
        api.post('/webhooks/', { name: 'Channel', url: WEBHOOK_URL }),
  },
  {
    operation: 'PATCH /webhooks/{id}/',
    activities: [webhook('UpdatedWebhookActivity')],
    prepare: async ({ api }) => {
      const { id } = await makeWebhook(api);
      return () => api.patch(`/webhooks/${id}/`, { active: false });
    },
  },
  {
    operation: 'POST /webhooks/{id}/rotate-secret/',
    activities: [webhook('RegeneratedWebhookSecretActivity')],
    prepare: async ({ api }) => {
      const { id } = await makeWebhook(api, { format: 'standard' });
      return () => api.post(`/webhooks/${id}/rotate-secret/`);
    },
  },
  {
    operation: 'DELETE /webhooks/{id}/',
    activities: [webhook('DeletedWebhookActivity')],
    prepare: async ({ api }) => {
      const { id } = await makeWebhook(api);
      return () => api.delete(`/webhooks/${id}/`);
    },
  },
  {
    operation: 'DELETE /webhooks/{id}/',
    when: 'with a configuration',
    activities: [webhook('DeletedWebhookConfigActivity'), webhook('DeletedWebhookActivity')],
    prepare: async ({ api }) => {
      const { id } = await makeWebhook(api);
      await makeConfig(api, id);
      return () => api.delete(`/webhooks/${id}/`);
    },
  },
  {
    operation: 'POST /webhooks/{webhook}/configs/',
    activities: [webhook('CreatedWebhookConfigActivity')],
    prepare: async ({ api }) => {
      const { id } = await makeWebhook(api);
      return () => api.post(`/webhooks/${id}/configs/`, { event_source: 'CreatedProjectActivity' });
    },
  },
  {
    operation: 'PATCH /webhooks/{webhook}/configs/{id}/',
    activities: [webhook('UpdatedWebhookConfigActivity')],
    prepare: async ({ api }) => {
      const parent = await makeWebhook(api);
      const { id } = await makeConfig(api, parent.id);
      return () => api.patch(`/webhooks/${parent.id}/configs/${id}/`, { active: false });
    },
  },
  {
    operation: 'DELETE /webhooks/{webhook}/configs/{id}/',
    activities: [webhook('DeletedWebhookConfigActivity')],
    prepare: async ({ api }) => {
      const parent = await makeWebhook(api);
      const { id } = await makeConfig(api, parent.id);
      return () => api.delete(`/webhooks/${parent.id}/configs/${id}/`);
    },
  },
];

/** Operations of webhooks that send messages and record no activities. */
export const WEBHOOK_SENDINGS: readonly string[] = [
  'POST /webhooks/{id}/test/',
  'POST /webhooks/{webhook}/deliveries/{id}/redeliver/',
];
