import {
  EVENT_SOURCES,
  WEBHOOK_DESCRIPTION_MAXIMUM_LENGTH,
  WEBHOOK_NAME_MAXIMUM_LENGTH,
  WEBHOOK_URL_MAXIMUM_LENGTH,
  webhookUrlProblem,
} from '#domain/notifications/webhook/webhook.rules.js';
import { BooleanField, Changes, ChoiceField, StringField, Text, Unsettable } from '../../http/body/fields.js';

export class CreateWebhook {
  @StringField({ maximum: WEBHOOK_NAME_MAXIMUM_LENGTH, example: 'Security channel' })
  name!: string;

  @StringField({
    maximum: WEBHOOK_URL_MAXIMUM_LENGTH,
    check: webhookUrlProblem,
    description: 'Where to post: `https`, a host of `WEBHOOK_HOSTS`, and a path below `/services/`.',
    example: 'https://hooks.slack.com/services/T000/B000/XXXX',
  })
  url!: string;

  @Text({
    blank: true,
    maximum: WEBHOOK_DESCRIPTION_MAXIMUM_LENGTH,
    optional: true,
    default: '',
    description: 'What it is for.',
  })
  description?: string;

  @BooleanField({ optional: true, default: true, description: 'Whether it delivers anything.' })
  active?: boolean;

  @Unsettable({ description: 'The kind of chat service. A body that has this field is refused.' })
  integration_type?: never;
}

export class ChangeWebhook extends Changes(CreateWebhook) {}

export class CreateWebhookConfig {
  @ChoiceField({ choices: EVENT_SOURCES, description: 'The activity to deliver.', example: 'CreatedProjectActivity' })
  event_source!: string;

  @BooleanField({ optional: true, default: true, description: 'Whether it is delivered.' })
  active?: boolean;
}

export class ChangeWebhookConfig extends Changes(CreateWebhookConfig) {}
