/** What a report says about a rule of a tool, or about the tests that name the same countermeasures. */
export interface RuleOutcome {
  /** The name of the tool according to the report; empty if the report has none. */
  readonly tool: string;
  /** The ids of the rules or the names of the tests; not all, if there are many. */
  readonly ids: readonly string[];
  /** The number of rules or tests. */
  readonly rules: number;
  /** The number of results in the report. */
  readonly results: number;
  /** Countermeasures (`T21`) and CWEs (`CWE-79`) that they refer to. */
  readonly subjects: readonly string[];
  /** Without passes and failures, there is no verdict: nothing was checked, or the outcome is open. */
  readonly passed: number;
  readonly failed: number;
  /** The number of occurrences of each finding. */
  readonly findings: ReadonlyMap<string, number>;
}

/** Maximum number of unmatched rules that the response lists. */
export const MAX_LISTED_RULES = 100;
