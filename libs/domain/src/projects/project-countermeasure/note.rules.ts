/** Whether the result of an analysis is combined with earlier results, or replaces them. */
export const BEHAVIOURS = ['combine', 'replace'] as const;

/** How confident an analysis is. */
export const CONFIDENCES = ['low', 'high'] as const;

/** How something was verified: manually, or by an analysis run. */
export const ANALYSIS_TYPES = {
  manual: { slug: 'manual', name: 'Manual' },
  automated: { slug: 'automated', name: 'Automated' },
} as const;
