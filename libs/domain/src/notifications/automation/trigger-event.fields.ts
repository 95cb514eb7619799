import type { InputOf } from '../../kernel/fields/field.js';
import { choice, integer, object } from '../../kernel/fields/fields.js';

/** The events that an automation can trigger. */
export const AUTOMATION_EVENTS = ['project_refresh', 'library_refresh', 'webhook_test'] as const;

export type AutomationEvent = (typeof AUTOMATION_EVENTS)[number];

const eventDataFields = {
  webhook: integer({
    optional: true,
    minimum: 1,
    description: 'With `webhook_test`: the webhook to test. By default, all active ones.',
    example: 3,
  }),
};

export const triggerEventFields = {
  event: choice(AUTOMATION_EVENTS, {
    description:
      '`project_refresh`: recalculate the content of a project; requires a role in it that allows `survey`. ' +
      '`library_refresh`: the same for all unlocked projects; requires the permission `customize_content`. ' +
      '`webhook_test`: send a test message; requires a super-user and the flag `Webhooks`.',
    example: 'project_refresh',
  }),
  project: integer({
    optional: true,
    nullable: true,
    description: 'The project; required for `project_refresh`.',
    example: 1,
  }),
  data: object('EventData', eventDataFields, {
    optional: true,
    nullable: true,
    description: 'Further parameters of the event.',
  }),
};

export type TriggerEventInput = InputOf<typeof triggerEventFields>;
