import { Link } from '@tanstack/react-router';
import { chartAddress, isSaved, type Report } from '../../api/reports.ts';
import { ChartImage } from '../../components/chart-image.tsx';
import { Card, Group, Text, Title } from '../../components/controls.ts';
import { Tag } from '../../components/formats.tsx';
import { reportStrings } from '../../report-strings.ts';

/** A report with its chart. The heading opens it. */
export function ReportCard({ report }: { readonly report: Report }) {
  const { id, title, description } = report;
  return (
    <Card component="article" withBorder padding="md" aria-labelledby={`report-${id}`}>
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs" mb={4}>
        <Title order={2} size="h5" id={`report-${id}`}>
          <Link to="/reports/$report" params={{ report: id }} className="text-link" style={{ textDecoration: 'none' }}>
            {title}
          </Link>
        </Title>
        {!isSaved(id) && (
          <span style={{ flexShrink: 0 }}>
            <Tag>{reportStrings.starter}</Tag>
          </span>
        )}
      </Group>
      <Text size="sm" c="dimmed" mb="sm" lineClamp={2}>
        {description}
      </Text>
      <ChartImage title={title} size="small" addressIn={(theme) => chartAddress(id, { theme, size: 'small' })} />
    </Card>
  );
}
