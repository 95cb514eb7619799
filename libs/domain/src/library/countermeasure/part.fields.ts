import type { InputOf } from '../../kernel/fields/field.js';
import { reference } from '../../kernel/fields/fields.js';

/** What files say of an additional requirement or how-to besides its own fields; in the API, a path names it. */
export const partFields = {
  task: reference('countermeasure', { description: 'The countermeasure that it belongs to.' }),
};

export type PartInput = InputOf<typeof partFields>;
