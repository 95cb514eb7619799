import { AUTOMATION_EVENTS, type AutomationEvent } from '#domain/notifications/automation/automation.rules.js';
import { ChoiceField, IntegerField, Nested } from '../../http/body/fields.js';

export class EventData {
  @IntegerField({
    optional: true,
    minimum: 1,
    description: 'With `webhook_test`: the webhook to test. Where none is named, every active one is.',
    example: 3,
  })
  webhook?: number;
}

export class TriggerEvent {
  @ChoiceField({
    choices: AUTOMATION_EVENTS,
    description:
      '`project_refresh`: work out again what a project contains, which takes a role in it that allows `survey`. ' +
      '`library_refresh`: the same for all unlocked projects, which takes the permission `customize_content`. ' +
      '`webhook_test`: send a test message, which takes a super-user and the flag `Webhooks`.',
    example: 'project_refresh',
  })
  event!: AutomationEvent;

  @IntegerField({
    optional: true,
    nullable: true,
    description: 'The project; `project_refresh` needs one.',
    example: 1,
  })
  project?: number | null;

  @Nested(() => EventData, { optional: true, nullable: true, description: 'What else the event takes.' })
  data?: EventData | null;
}
