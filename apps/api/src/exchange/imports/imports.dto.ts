import { choice } from '#domain/kernel/fields/fields.js';
import { BodyOf } from '../../http/body/body-of.js';

export class ChangeImport extends BodyOf({
  status: choice(['accept', 'cancel', 'retry'], {
    description:
      '`accept` from `ready_for_review`; `cancel` from `pending`, `generating_diff` or `ready_for_review`; `retry` ' +
      'from `fail` or `cancel`.',
    example: 'accept',
  }),
}) {}
