import type { InputOf } from '../../kernel/fields/field.js';
import { boolean, choice, line, text, unsettable } from '../../kernel/fields/fields.js';
import { EVENT_SOURCES, WEBHOOK_FORMATS, webhookUrlError } from './webhook.rules.js';

const otherFields = {
  name: line({ maximum: 140, example: 'Security channel' }),
  url: line({
    maximum: 2048,
    validate: webhookUrlError,
    description:
      'Where to post: `https`. For the format `slack`, a host of `WEBHOOK_HOSTS` and a path below `/services/`; for ' +
      'others, any host with a public address.',
    example: 'https://hooks.slack.com/services/T000/B000/XXXX',
  }),
  description: text({
    blank: true,
    maximum: 1024,
    optional: true,
    default: '',
    description: 'What it is for.',
  }),
  active: boolean({ optional: true, default: true, description: 'Whether it is active.' }),
  integration_type: unsettable({ description: 'Always `slack`; see `format`. Requests with this field are rejected.' }),
};

export const webhookFields = {
  ...otherFields,
  format: choice(WEBHOOK_FORMATS, {
    optional: true,
    default: 'slack',
    description:
      'How messages are written: for Slack, Mattermost or Microsoft Teams, or, as `standard`, for programs, signed ' +
      'by the rules of Standard Webhooks. It cannot be changed.',
  }),
};

export const webhookChangeFields = {
  ...otherFields,
  format: unsettable({ description: 'How messages are written. It cannot be changed.' }),
};

export const webhookConfigFields = {
  event_source: choice(EVENT_SOURCES, {
    description: 'The event to deliver. Webhooks of the format `slack` deliver only `CreatedProjectActivity`.',
    example: 'CreatedProjectActivity',
  }),
  active: boolean({ optional: true, default: true, description: 'Whether it is delivered.' }),
};

export type WebhookInput = InputOf<typeof webhookFields>;

export type WebhookChanges = Partial<InputOf<typeof webhookChangeFields>>;

export type WebhookConfigInput = InputOf<typeof webhookConfigFields>;
