import { Link } from '@tanstack/react-router';
import { chartAddress, type Report } from '../../api/reports.ts';
import { ChartImage } from '../../components/chart-image.tsx';
import { Card, Text, Title } from '../../components/controls.ts';

/** A report with its chart. The heading opens it. */
export function ReportCard({ report }: { readonly report: Report }) {
  const { id, title, description } = report;
  return (
    <Card component="article" withBorder padding="md" aria-labelledby={`report-${id}`}>
      <Title order={3} size="h5" id={`report-${id}`} mb={4}>
        <Link to="/reports/$report" params={{ report: id }} className="text-link" style={{ textDecoration: 'none' }}>
          {title}
        </Link>
      </Title>
      <Text size="sm" c="dimmed" mb="sm" lineClamp={2}>
        {description}
      </Text>
      <ChartImage title={title} size="small" addressIn={(theme) => chartAddress(id, { theme, size: 'small' })} />
    </Card>
  );
}
