/** Tables that summarize `trend_task` in fewer rows, with the columns that they keep and their sources. */
const SUMMARIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  trend_task_application: { application: 'p.application', business_unit: 'p.business_unit', status: 't.status' },
  trend_task_phase: { phase: 't.phase', status: 't.status', priority: 't.priority' },
};

/** Statements that rebuild the summaries from `trend_task` for the organizations and days in `chosen`. */
export const fillSummaries = (days: string): string[] =>
  Object.entries(SUMMARIES).flatMap(([table, columns]) => [
    `DELETE FROM ${table} t USING (${days}) chosen
     WHERE t.organization_id = chosen.organization_id AND t.day = chosen.day`,
    `INSERT INTO ${table} (organization_id, day, ${Object.keys(columns).join(', ')}, total)
     SELECT organization_id, day, ${Object.values(columns).join(', ')}, sum(t.total)
     FROM (${days}) chosen JOIN trend_task t USING (organization_id, day)
     LEFT JOIN trend_project p USING (organization_id, day, project_id)
     GROUP BY 1, 2, 3, 4, 5`,
  ]);
