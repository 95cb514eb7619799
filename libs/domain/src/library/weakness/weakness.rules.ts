/** The risk rating of a weakness. */
export const RISK_RATING = { minimum: 1, maximum: 10 };

/** Why a body or file that changes the CWEs of a built-in weakness is refused. */
export const FIXED_CWES = "The CWEs of built-in weaknesses can't be changed.";
