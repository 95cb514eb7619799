import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { starterReportsQuery } from '../../api/reports.ts';
import { sessionQuery } from '../../api/session.ts';
import { Group, SimpleGrid, Title } from '../../components/controls.ts';
import { reportStrings } from '../../report-strings.ts';
import { ReportCard } from './report-card.tsx';

/** What to look at first: where the most urgent work is, how it goes on, and how much is done. */
const FIRST = ['open-high-priority-by-application', 'completion-trend', 'status-by-business-unit'];

/** Three charts on the state of all projects, for those who may see them all. */
export function HomeCharts() {
  const may = useQuery(sessionQuery).data?.permissions?.includes('view_all_projects') ?? false;
  const reports = useQuery({ ...starterReportsQuery, enabled: may });
  if (!may || !reports.data) return null;
  const shown = FIRST.flatMap((id) => reports.data.filter((report) => report.id === id));
  return (
    <section aria-labelledby="home-charts">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4" id="home-charts">
          {reportStrings.overview}
        </Title>
        <Link to="/reports" className="text-link">
          {reportStrings.allReports}
        </Link>
      </Group>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {shown.map((report) => (
          <ReportCard key={report.id} report={report} />
        ))}
      </SimpleGrid>
    </section>
  );
}
