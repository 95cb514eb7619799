import { stringList } from '../../kernel/fields/fields.js';
import { MAX_TAG_LENGTH } from './countermeasure.rules.js';

/** The complete list of an item's tags in a body. */
export const tagList = (example: readonly string[], description = 'All its tags.') =>
  stringList({ maximum: MAX_TAG_LENGTH, optional: true, description, example });
