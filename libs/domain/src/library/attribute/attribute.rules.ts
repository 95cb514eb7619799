/** Levels of the tree; an attribute without a parent is on the first. */
export const DEEPEST_LEVEL = 10;

/** Where an attribute comes from. Built-in ones can be switched on and off, and not changed otherwise. */
export const ATTRIBUTE_TYPES = ['Built-in', 'Custom'] as const;

/** Why any other change of a built-in attribute is refused. */
export const FIXED_ATTRIBUTE = 'Built-in attributes can\'t be changed; only "active" can be set.';

/** Why a built-in attribute can't be deleted. */
export const PERMANENT_ATTRIBUTE =
  'A built-in attribute can\'t be deleted. Deactivate it instead: set "active" to false.';

/** Why a place in the tree is refused that makes a circle. */
export const CIRCULAR = "An attribute can't be below itself or below what is below it.";

/** Why a place in the tree is refused that lies too deep. */
export const tooDeep = (depth: number): string =>
  `The tree would be ${depth} levels deep there; it may have no more than ${DEEPEST_LEVEL}.`;
