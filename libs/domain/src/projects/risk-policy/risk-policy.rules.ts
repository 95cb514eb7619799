/** What is known of a countermeasure's verification, from the least to the most. */
export const RANKED_VERIFICATION_STATUSES = ['none', 'fail', 'partial', 'pass'] as const;
