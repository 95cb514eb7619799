/** The risk rating of a weakness. */
export const RISK_RATING = { minimum: 1, maximum: 10 };
