import type { InputOf } from '../../kernel/fields/field.js';
import { boolean, line, reference, text } from '../../kernel/fields/fields.js';

export const attributeFields = {
  name: line({ description: 'What it says about a project that has it.', example: 'Biometric data' }),
  description: text({
    blank: true,
    optional: true,
    default: '',
    example: 'Fingerprints, faces and voices that identify people.',
  }),
  parent: reference('attribute', {
    optional: true,
    nullable: true,
    default: null,
    description: 'The parent attribute; null for a root.',
    example: 'AT2',
  }),
  active: boolean({ optional: true, default: true }),
};

export type AttributeInput = InputOf<typeof attributeFields>;
