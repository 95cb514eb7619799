import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { starterReportsQuery } from '../../api/reports.ts';
import { reportStrings } from '../../report-strings.ts';
import { useSession } from '../use-session.ts';
import { ReportSection } from './report-section.tsx';

/** What to look at first: where the most urgent work is, how it goes on, and how much is done. */
const FIRST = ['open-high-priority-by-application', 'completion-trend', 'status-by-business-unit'];

export const isFirst = (id: string): boolean => FIRST.includes(id);

/** Three charts on the state of all projects, for those who may see them all. */
export function FirstReports({ action }: { readonly action?: ReactNode }) {
  const may = useSession().permissions.includes('view_all_projects');
  const { data = [] } = useQuery({ ...starterReportsQuery, enabled: may });
  const reports = FIRST.flatMap((id) => data.filter((report) => report.id === id));
  return <ReportSection title={reportStrings.overview} reports={reports} action={action} />;
}
