import { exportFields } from '#domain/exchange/export-job/export-job.fields.js';
import { choice } from '#domain/kernel/fields/fields.js';
import { BodyOf } from '../../http/body/body-of.js';

export class CreateExport extends BodyOf(exportFields) {}

export class ChangeExport extends BodyOf({
  status: choice(['cancel', 'retry'], {
    description: '`cancel` from `pending` or `in_progress`; `retry` from `fail` or `cancel`.',
    example: 'cancel',
  }),
}) {}
