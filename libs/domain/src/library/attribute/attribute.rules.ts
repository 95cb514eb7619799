import type { BuiltInRules } from '../item-batch/built-in-rules.js';

/** Maximum depth of the tree; an attribute without a parent has depth 1. */
export const MAX_LEVEL = 10;

/** The origin of an attribute. Built-in ones can only be activated and deactivated. */
export const ATTRIBUTE_TYPES = ['Built-in', 'Custom'] as const;

export const BUILT_IN_ATTRIBUTE = {
  changeable: ['active'],
  error: 'Built-in attributes can\'t be changed; only "active" can be set.',
} satisfies BuiltInRules;

/** Error for the deletion of a built-in attribute. */
export const PERMANENT_ATTRIBUTE =
  'A built-in attribute can\'t be deleted. Deactivate it instead: set "active" to false.';

/** Error for a parent that would create a cycle. */
export const CIRCULAR = "An attribute can't be its own descendant.";

/** Error for a parent that would exceed the maximum depth. */
export const tooDeep = (depth: number): string =>
  `The tree would have ${depth} levels there; at most ${MAX_LEVEL} are allowed.`;
