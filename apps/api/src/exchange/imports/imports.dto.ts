import { ChoiceField } from '../../http/body/fields.js';

export class ChangeImport {
  @ChoiceField({
    choices: ['accept', 'cancel', 'retry'],
    description:
      '`accept` from `ready_for_review`; `cancel` from `pending`, `generating_diff` or `ready_for_review`; `retry` ' +
      'from `fail` or `cancel`.',
    example: 'accept',
  })
  status!: 'accept' | 'cancel' | 'retry';
}
