/** The chart types of a report. */
export const CHARTS = ['table', 'pie', 'number', 'stacked_bar', 'horizontal_bar', 'line'] as const;
export type Chart = (typeof CHARTS)[number];
