/** Levels of the tree; an attribute without a parent is on the first. */
export const DEEPEST_LEVEL = 10;

/** Where an attribute comes from. Built-in ones can be switched on and off, and not changed otherwise. */
export const ATTRIBUTE_TYPES = ['Built-in', 'Custom'] as const;
