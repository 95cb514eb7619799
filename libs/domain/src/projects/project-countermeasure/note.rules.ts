/** Whether what an analysis found is combined with what was found before, or takes its place. */
export const BEHAVIOURS = ['combine', 'replace'] as const;

/** How sure an analysis is. */
export const CONFIDENCES = ['low', 'high'] as const;
