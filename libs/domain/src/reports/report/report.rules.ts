export { type Chart, CHARTS } from '#reporting/chart/charts.js';

/** `D`: the current state; `T`: a trend over time. */
export const REPORT_TYPES = ['D', 'T'] as const;
export type ReportType = (typeof REPORT_TYPES)[number];
