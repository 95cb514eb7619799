/** How a report can be shown. */
export const CHARTS = ['table', 'pie', 'number', 'stacked_bar', 'horizontal_bar', 'line'] as const;
export type Chart = (typeof CHARTS)[number];
