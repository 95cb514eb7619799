import { FLAG_NAME_MAXIMUM_LENGTH } from '#domain/access/flag/flags.js';
import { StringField } from '../../http/body/fields.js';

export class ActivateFlag {
  @StringField({
    maximum: FLAG_NAME_MAXIMUM_LENGTH,
    description: 'A known flag, or a name of capital letters, digits and underscores.',
    example: 'DECISION_ENGINE',
  })
  name!: string;
}
