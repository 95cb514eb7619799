import type { BuiltInRules } from '../item-batch/built-in-rules.js';

/** Bounds of ordinals. The built-in phases have 1 to 5, so that 0 comes before them. */
export const PHASE_ORDINAL = { minimum: 0, maximum: 1_000_000 };

/** Error for a change or the deletion of a built-in phase. */
export const FIXED_PHASE = "Built-in phases can't be changed or deleted.";

export const BUILT_IN_PHASE = { error: FIXED_PHASE } satisfies BuiltInRules;
