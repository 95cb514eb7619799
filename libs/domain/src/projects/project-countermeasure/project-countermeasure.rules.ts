/** `1-T2` or `T2`: a countermeasure from the library or a project-specific one. */
export const PROJECT_COUNTERMEASURE_ID = /^(?:([1-9]\d{0,17})-)?((?:C?T|PT)[1-9]\d{0,8})$/;

/** The same without the project. */
export const TASK_ID = /^(?:C?T|PT)[1-9]\d{0,8}$/;

/** The results of verification, from best to worst: if several are combined, the worst counts. */
export const VERIFICATIONS = ['pass', 'partial', 'fail'] as const;

export const VERIFICATION_STATUSES = ['none', ...VERIFICATIONS] as const;

/** How many countermeasures one request can change. */
export const MAX_BULK_CHANGES = 1000;

/** How many users they can all be assigned to: each assignment is an activity of its own. */
export const MAX_BULK_ASSIGNEES = 20;

/** The longest note in characters that all of them can get. */
export const MAX_BULK_NOTE_LENGTH = 5000;

/** Whether the result of an analysis is combined with earlier results, or replaces them. */
export const BEHAVIOURS = ['combine', 'replace'] as const;

/**
 * Which earlier results the results of a tool replace: all, those of the same tool, or none, so that the worst of all
 * counts.
 */
export const MERGES = ['replace', 'replace_same_tool', 'combine'] as const;

export type Merge = (typeof MERGES)[number];

/** How confident an analysis is. */
export const CONFIDENCES = ['low', 'high'] as const;

/** How something was verified: manually, or by an analysis run. */
export const ANALYSIS_TYPES = {
  manual: { slug: 'manual', name: 'Manual' },
  automated: { slug: 'automated', name: 'Automated' },
} as const;
