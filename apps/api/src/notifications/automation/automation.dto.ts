import { triggerEventFields } from '#domain/notifications/automation/trigger-event.fields.js';
import { BodyOf } from '../../http/body/body-of.js';

export class TriggerEvent extends BodyOf(triggerEventFields) {}
