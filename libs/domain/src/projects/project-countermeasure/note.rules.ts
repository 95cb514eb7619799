/** Whether what an analysis found is combined with what was found before, or takes its place. */
export const BEHAVIOURS = ['combine', 'replace'] as const;

/** How sure an analysis is. */
export const CONFIDENCES = ['low', 'high'] as const;

/** How something was verified: by hand, or by the run of an analysis. */
export const ANALYSIS_TYPES = {
  manual: { slug: 'manual', name: 'Manual' },
  automated: { slug: 'automated', name: 'Automated' },
} as const;
