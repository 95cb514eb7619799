import { MAX_FLAG_NAME_LENGTH } from '#domain/access/flag/flags.js';
import { line } from '#domain/kernel/fields/fields.js';
import { BodyOf } from '../../http/body/body-of.js';

export class ActivateFlag extends BodyOf({
  name: line({
    maximum: MAX_FLAG_NAME_LENGTH,
    description: 'A known flag, or a name made of capital letters, digits and underscores.',
    example: 'DECISION_ENGINE',
  }),
}) {}
