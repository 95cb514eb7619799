import {
  CONTENT_MODELS,
  type ContentModel,
  EXPORT_TYPES,
  type ExportType,
  FILE_FORMATS,
  type FileFormat,
} from '#domain/exchange/job/content-models.js';
import { ChoiceField, ChoiceListField } from '../../http/body/fields.js';

export class CreateExport {
  @ChoiceField({
    choices: EXPORT_TYPES,
    description: '`template`: the columns and no rows; `content`: every row that the organization sees.',
    example: 'content',
  })
  type!: ExportType;

  @ChoiceField({ choices: FILE_FORMATS, example: 'csv' })
  file_format!: FileFormat;

  @ChoiceListField({
    choices: CONTENT_MODELS,
    distinct: true,
    description:
      'What to export. `standard` are countermeasures, `implementation` how-tos, `amendment` additional requirements.',
    example: ['standard', 'weakness'],
  })
  content_models!: ContentModel[];
}

export class ChangeExport {
  @ChoiceField({
    choices: ['cancel', 'retry'],
    description: '`cancel` from `pending` or `in_progress`; `retry` from `fail` or `cancel`.',
    example: 'cancel',
  })
  status!: 'cancel' | 'retry';
}
