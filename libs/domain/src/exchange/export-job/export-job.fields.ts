import type { InputOf } from '../../kernel/fields/field.js';
import { choice, choiceList } from '../../kernel/fields/fields.js';
import { CONTENT_MODELS, EXPORT_TYPES, FILE_FORMATS } from '../job/content-models.js';

export const exportFields = {
  type: choice(EXPORT_TYPES, {
    description: '`template`: the columns and no rows; `content`: every row that the organization sees.',
    example: 'content',
  }),
  file_format: choice(FILE_FORMATS, { example: 'csv' }),
  content_models: choiceList(CONTENT_MODELS, {
    distinct: true,
    description:
      'What to export. `standard` are countermeasures, `implementation` how-tos, `amendment` additional requirements.',
    example: ['standard', 'weakness'],
  }),
};

export type ExportJobInput = InputOf<typeof exportFields>;
