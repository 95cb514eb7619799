import type { InputOf } from '../../kernel/fields/field.js';
import { reference } from '../../kernel/fields/fields.js';

/** Additional fields of additional requirements and how-tos in files; in the API, the path names the countermeasure. */
export const partFields = {
  task: reference('countermeasure', { description: 'The countermeasure that it belongs to.' }),
};

export type PartInput = InputOf<typeof partFields>;
