import { stringList } from '../../kernel/fields/fields.js';
import { TAG_MAXIMUM_LENGTH } from './countermeasure.rules.js';

/** All tags of an item, as a body gives them. */
export const tagList = (example: readonly string[], description = 'All its tags.') =>
  stringList({ maximum: TAG_MAXIMUM_LENGTH, optional: true, description, example });
