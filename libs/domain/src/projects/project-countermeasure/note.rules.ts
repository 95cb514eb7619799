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
