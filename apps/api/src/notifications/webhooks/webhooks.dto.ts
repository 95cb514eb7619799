import {
  webhookChangeFields,
  webhookConfigFields,
  webhookFields,
} from '#domain/notifications/webhook/webhook.fields.js';
import { BodyOf, Changes } from '../../http/body/body-of.js';

export class CreateWebhook extends BodyOf(webhookFields) {}

export class ChangeWebhook extends Changes(BodyOf(webhookChangeFields)) {}

export class CreateWebhookConfig extends BodyOf(webhookConfigFields) {}

export class ChangeWebhookConfig extends Changes(CreateWebhookConfig) {}
