import type { InputOf } from '../../kernel/fields/field.js';
import { boolean, choice, line, text, unsettable } from '../../kernel/fields/fields.js';
import { EVENT_SOURCES, webhookUrlError } from './webhook.rules.js';

export const webhookFields = {
  name: line({ maximum: 140, example: 'Security channel' }),
  url: line({
    maximum: 2048,
    validate: webhookUrlError,
    description: 'Where to post: `https`, a host of `WEBHOOK_HOSTS`, and a path below `/services/`.',
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
  integration_type: unsettable({ description: 'The kind of chat service. Requests with this field are rejected.' }),
};

export const webhookConfigFields = {
  event_source: choice(EVENT_SOURCES, { description: 'The activity to deliver.', example: 'CreatedProjectActivity' }),
  active: boolean({ optional: true, default: true, description: 'Whether it is delivered.' }),
};

export type WebhookInput = InputOf<typeof webhookFields>;

export type WebhookConfigInput = InputOf<typeof webhookConfigFields>;
