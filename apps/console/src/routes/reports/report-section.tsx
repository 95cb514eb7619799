import { useId, type ReactNode } from 'react';
import type { Report } from '../../api/reports.ts';
import { Group, SimpleGrid, Title } from '../../components/controls.ts';
import { ReportCard } from './report-card.tsx';

/** Some reports with their charts, below a heading. */
export function ReportSection({
  title,
  reports,
  action,
}: {
  readonly title: string;
  readonly reports: readonly Report[];
  readonly action?: ReactNode;
}) {
  const id = useId();
  if (reports.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h5" id={id}>
          {title}
        </Title>
        {action}
      </Group>
      <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }}>
        {reports.map((report) => (
          <ReportCard key={report.id} report={report} />
        ))}
      </SimpleGrid>
    </section>
  );
}
