/** Bounds of a weakness's risk rating. */
export const RISK_RATING = { minimum: 1, maximum: 10 };

/** Error for a change of a built-in weakness's CWEs. */
export const FIXED_CWES = "The CWEs of built-in weaknesses can't be changed.";
