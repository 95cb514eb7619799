import type { InputOf } from '../../kernel/fields/field.js';
import { choice, integer, object } from '../../kernel/fields/fields.js';
import { AUTOMATION_EVENTS } from './automation.rules.js';

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
      '`project_refresh`: work out again what a project contains, which takes a role in it that allows `survey`. ' +
      '`library_refresh`: the same for all unlocked projects, which takes the permission `customize_content`. ' +
      '`webhook_test`: send a test message, which takes a super-user and the flag `Webhooks`.',
    example: 'project_refresh',
  }),
  project: integer({
    optional: true,
    nullable: true,
    description: 'The project; `project_refresh` needs one.',
    example: 1,
  }),
  data: object('EventData', eventDataFields, {
    optional: true,
    nullable: true,
    description: 'Further parameters of the event.',
  }),
};

export type TriggerEventInput = InputOf<typeof triggerEventFields>;
