/** The risk rating of a weakness. */
export const RISK_RATING = { minimum: 1, maximum: 10 };

/** Why a body or file that gives the CWEs of what ships is refused. */
export const FIXED_CWES = "The CWEs of built-in weaknesses can't be changed.";

/** Why a title is refused that another weakness in the organization's view has, whatever its case. */
export const TITLE_TAKEN = 'A weakness with this title exists already.';
