/** What is known of a countermeasure's verification, from the least to the most. */
export const RANKED_VERIFICATION_STATUSES = ['none', 'fail', 'partial', 'pass'] as const;

/** Which countermeasures a policy looks at: all where a list is empty. */
export interface RiskPolicyFilters {
  /** Public ids of phases. */
  readonly phases: readonly string[];
  readonly priority: readonly number[];
  readonly tags: readonly string[];
}

/** One way to satisfy a policy: a status, verified at least so far. */
export interface StatusCondition {
  readonly task_status: string;
  readonly minimum_verification_status: (typeof RANKED_VERIFICATION_STATUSES)[number];
}

export interface RiskPolicyConditions {
  readonly statuses: readonly StatusCondition[];
}

/** Unicode code points of a policy's name. */
export const RISK_POLICY_NAME_MAXIMUM_LENGTH = 255;
