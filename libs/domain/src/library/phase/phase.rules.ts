/** Places in the order of phases. The built-in ones have 1 to 5, so 0 stands before them. */
export const PHASE_ORDINAL = { minimum: 0, maximum: 1_000_000 };

/** Why a built-in phase can't be changed or deleted. */
export const FIXED_PHASE = "Built-in phases can't be changed or deleted.";
