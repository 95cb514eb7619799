import {
  PHASE_NAME_MAXIMUM_LENGTH,
  PHASE_ORDINAL,
  PHASE_TEXT_MAXIMUM_LENGTH,
} from '#domain/library/phase/phase.rules.js';
import { BooleanField, Changes, IntegerField, StringField, Text } from '../../http/body/fields.js';

export class CreatePhase {
  @StringField({
    maximum: PHASE_NAME_MAXIMUM_LENGTH,
    description: 'Unique in the organization, whatever its case.',
    example: 'Threat modelling',
  })
  name!: string;

  @Text({
    maximum: PHASE_TEXT_MAXIMUM_LENGTH,
    blank: true,
    optional: true,
    default: '',
    description: 'What happens in it.',
  })
  description?: string;

  @Text({
    maximum: PHASE_TEXT_MAXIMUM_LENGTH,
    blank: true,
    optional: true,
    default: '',
    description: 'A hint for those who work in it.',
  })
  tip?: string;

  @IntegerField({
    ...PHASE_ORDINAL,
    optional: true,
    description: 'Place in the order of phases; by default behind all others. The built-in ones have 1 to 5.',
    example: 6,
  })
  ordinal?: number;

  @BooleanField({ optional: true, default: true })
  active?: boolean;

  @BooleanField({
    optional: true,
    default: false,
    description: 'Kept for clients that ask for it: nothing follows from it in projects.',
  })
  retain?: boolean;
}

export class ChangePhase extends Changes(CreatePhase) {}
