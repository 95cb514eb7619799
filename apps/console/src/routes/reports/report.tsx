import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import {
  chartAddress,
  fileAddress,
  isSaved,
  removeReport,
  type Report,
  reportQuery,
  reportRowsQuery,
  saveStarterReport,
} from '../../api/reports.ts';
import { AskButton } from '../../components/ask-button.tsx';
import { ChartImage } from '../../components/chart-image.tsx';
import { Alert, Button, Group, SegmentedControl, Text } from '../../components/controls.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Filters, TextFilter } from '../../components/filters.tsx';
import { Page } from '../../components/layout.tsx';
import { Empty, Loaded, messageOf } from '../../components/states.tsx';
import { toast } from '../../components/toasts.tsx';
import { reportStrings } from '../../report-strings.ts';
import { strings } from '../../strings.ts';
import { useSession } from '../use-session.ts';

const route = getRouteApi('/reports/$report');

const VIEWS = (['chart', 'table'] as const).map((value) => ({ value, label: reportStrings.views[value] }));

/** The rows of a report, from which its chart is drawn. */
function Rows({ report, filter }: { readonly report: Report; readonly filter: string | undefined }) {
  return (
    <Loaded query={useQuery(reportRowsQuery(report.id))}>
      {({ rows, columns, isTruncated }) =>
        rows.length === 0 ? (
          <Empty title={reportStrings.noRows}>{reportStrings.noRowsText}</Empty>
        ) : (
          <>
            {isTruncated && (
              <Alert color="yellow" variant="outline" m="md">
                {reportStrings.truncated}
              </Alert>
            )}
            <DataTable label={report.title} columns={columns} rows={rows} filter={filter} />
          </>
        )
      }
    </Loaded>
  );
}

/** Files of a report, and what may be done with it. */
function Actions({ report: { id, title } }: { readonly report: Report }) {
  const navigate = route.useNavigate();
  const queries = useQueryClient();
  const mayEdit = useSession().permissions.includes('edit_custom_reports');
  const options = (text: string) => ({
    onSuccess: async () => {
      toast(text);
      await queries.invalidateQueries({ queryKey: ['reports'] });
    },
    onError: (error: Error) => toast(messageOf(error), { isError: true }),
  });
  const saving = useMutation({
    mutationFn: async () => {
      const saved = await saveStarterReport(id);
      await navigate({ to: '/reports/$report', params: { report: String(saved.id) } });
    },
    ...options(reportStrings.saved(title)),
  });
  const removing = useMutation({
    mutationFn: async () => {
      await removeReport(id);
      await navigate({ to: '/reports' });
    },
    ...options(reportStrings.removed(title)),
  });
  const files = {
    CSV: fileAddress(id, 'csv'),
    XLSX: fileAddress(id, 'xlsx'),
    PNG: chartAddress(id, { theme: 'light', size: 'large', format: 'png' }),
  };
  return (
    <Group gap="xs">
      {Object.entries(files).map(([format, address]) => (
        <Button
          key={format}
          component="a"
          href={address}
          download={format === 'PNG' ? `${title}.png` : ''}
          variant="default"
          size="xs"
          aria-label={reportStrings.download(format)}
        >
          {format}
        </Button>
      ))}
      {mayEdit && !isSaved(id) && (
        <Button size="xs" loading={saving.isPending} onClick={() => saving.mutate()}>
          {reportStrings.save}
        </Button>
      )}
      {mayEdit && isSaved(id) && (
        <AskButton
          size="xs"
          loading={removing.isPending}
          question={reportStrings.removeAsk(title)}
          onConfirm={() => removing.mutate()}
        >
          {reportStrings.remove}
        </AskButton>
      )}
    </Group>
  );
}

/** One report: its chart or its rows, and its files. */
export function ReportPage() {
  const { report: id } = route.useParams();
  const { view, q } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(reportQuery(id));
  const change = (changed: { view?: 'chart' | 'table'; q?: string | undefined }): void =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true });
  const report = query.data;
  const shownView = view ?? (report?.chart === 'table' ? 'table' : 'chart');
  return (
    <Page
      title={report?.title ?? strings.reports}
      above={
        <nav className="page-tabs" aria-label={reportStrings.back}>
          <Link to="/reports" className="page-tab" activeOptions={{ exact: true }}>
            ‹ {reportStrings.back}
          </Link>
        </nav>
      }
      actions={report && <Actions report={report} />}
      filters={
        report && (
          <>
            {report.description !== '' && <Text c="dimmed">{report.description}</Text>}
            <Group gap="xs">
              <SegmentedControl
                size="sm"
                aria-label={reportStrings.view}
                data={VIEWS}
                value={shownView}
                onChange={(value) => change({ view: value })}
              />
              {shownView === 'table' && (
                <Filters>
                  <TextFilter label={reportStrings.filterRows} value={q} onChange={(text) => change({ q: text })} />
                </Filters>
              )}
            </Group>
          </>
        )
      }
    >
      <div className="page-scroll">
        <Loaded query={query}>
          {(found) =>
            found === null ? (
              <Empty title={reportStrings.unknown}>
                <Link to="/reports" className="text-link">
                  {reportStrings.allReports}
                </Link>
              </Empty>
            ) : shownView === 'chart' ? (
              <div style={{ padding: 20 }}>
                <ChartImage title={found.title} addressIn={(theme) => chartAddress(id, { theme, size: 'medium' })} />
              </div>
            ) : (
              <Rows report={found} filter={q} />
            )
          }
        </Loaded>
      </div>
    </Page>
  );
}
