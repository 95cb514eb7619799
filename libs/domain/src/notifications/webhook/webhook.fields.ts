import type { InputOf } from '../../kernel/fields/field.js';
import { boolean, choice, line, text, unsettable } from '../../kernel/fields/fields.js';
import {
  EVENT_SOURCES,
  WEBHOOK_DESCRIPTION_MAXIMUM_LENGTH,
  WEBHOOK_NAME_MAXIMUM_LENGTH,
  WEBHOOK_URL_MAXIMUM_LENGTH,
  webhookUrlProblem,
} from './webhook.rules.js';

export const webhookFields = {
  name: line({ maximum: WEBHOOK_NAME_MAXIMUM_LENGTH, example: 'Security channel' }),
  url: line({
    maximum: WEBHOOK_URL_MAXIMUM_LENGTH,
    problem: webhookUrlProblem,
    description: 'Where to post: `https`, a host of `WEBHOOK_HOSTS`, and a path below `/services/`.',
    example: 'https://hooks.slack.com/services/T000/B000/XXXX',
  }),
  description: text({
    blank: true,
    maximum: WEBHOOK_DESCRIPTION_MAXIMUM_LENGTH,
    optional: true,
    default: '',
    description: 'What it is for.',
  }),
  active: boolean({ optional: true, default: true, description: 'Whether it delivers anything.' }),
  integration_type: unsettable({ description: 'The kind of chat service. A body that has this field is refused.' }),
};

export const webhookConfigFields = {
  event_source: choice(EVENT_SOURCES, { description: 'The activity to deliver.', example: 'CreatedProjectActivity' }),
  active: boolean({ optional: true, default: true, description: 'Whether it is delivered.' }),
};

export type WebhookInput = InputOf<typeof webhookFields>;

export type WebhookConfigInput = InputOf<typeof webhookConfigFields>;
