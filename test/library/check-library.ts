import { checkStructure } from '#content/library/schema/library-rules.js';
import type { Library } from '#content/library/schema/library-schema.js';
import { QUALITY_RULES } from './library-quality.ts';

/**
 * Checks all rules for a release: what the tables require, and what makes the content useful. Returns the errors as
 * sentences that name the items.
 */
export const checkLibrary = (library: Library): string[] => [
  ...checkStructure(library),
  ...QUALITY_RULES.flatMap((rule) => rule(library)),
];
