import { MAX_EMAIL_LENGTH } from '../../access/user/user.rules.js';
import { integer, line, reference, text } from '../../kernel/fields/fields.js';
import { PRIORITY } from '../../library/countermeasure/countermeasure.rules.js';

export const ownFields = {
  title: line({ description: 'A short description of what to do.', example: 'Have the payment page reviewed' }),
  text: text({ description: 'CommonMark.', example: 'Before **each** release, by someone from outside of the team.' }),
  phase: reference('phase', { description: 'The phase in which it is due.', example: 'X4' }),
  priority: integer({ ...PRIORITY, description: '10 is the most urgent.', example: 7 }),
};

export const assigneeFields = {
  email: line({ maximum: MAX_EMAIL_LENGTH, blank: true, example: 'grace@example.com' }),
};
