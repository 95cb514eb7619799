/** Verification statuses, from lowest to highest. */
export const RANKED_VERIFICATION_STATUSES = ['none', 'fail', 'partial', 'pass'] as const;
