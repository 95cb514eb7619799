/** How much an application matters, as the API spells it. */
export const APPLICATION_PRIORITIES = ['0-none', '1-high', '2-medium', '3-low'] as const;

/** Unicode code points of the name of a business unit, an application or a project. */
export const PLACE_NAME_MAXIMUM_LENGTH = 255;
