import {
  PHASE_NAME_MAXIMUM_LENGTH,
  PHASE_ORDINAL,
  PHASE_TEXT_MAXIMUM_LENGTH,
} from '#domain/library/phase/phase.rules.js';
import { Bool, Changes, Integer, Line, Text } from '../../http/body/fields.js';

export class CreatePhase {
  @Line({
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

  @Integer({
    ...PHASE_ORDINAL,
    optional: true,
    description: 'Place in the order of phases; by default behind all others. The built-in ones have 1 to 5.',
    example: 6,
  })
  ordinal?: number;

  @Bool({ optional: true, default: true })
  active?: boolean;

  @Bool({
    optional: true,
    default: false,
    description: 'Kept for clients that ask for it: nothing follows from it in projects.',
  })
  retain?: boolean;
}

export class ChangePhase extends Changes(CreatePhase) {}
