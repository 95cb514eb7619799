import { choice, line } from '#domain/kernel/fields/fields.js';
import { reportFields } from '#domain/reports/report/report.fields.js';
import { reportTemplates } from '#reporting/templates.js';
import { BodyOf, Changes } from '../../http/body/body-of.js';

export class CreateQuery extends BodyOf(reportFields) {}

export class ChangeQuery extends Changes(CreateQuery) {}

export class TakeTemplate extends BodyOf({
  template: choice(
    reportTemplates().map(({ id }) => id),
    {
      description: 'Id of the template.',
      example: 'coverage-by-regulation',
    },
  ),
  title: line({ optional: true, description: 'Title of the report. Default: that of the template.' }),
}) {}
