import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { isSaved, type Report, savedReportsQuery, starterReportsQuery } from '../../api/reports.ts';
import { Stack } from '../../components/controls.ts';
import { ChoiceFilter, choicesOf, Filters, TextFilter } from '../../components/filters.tsx';
import { Page } from '../../components/layout.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { reportStrings } from '../../report-strings.ts';
import { strings } from '../../strings.ts';
import { useSession } from '../use-session.ts';
import { FirstReports, isFirst } from './first-reports.tsx';
import { ReportSection } from './report-section.tsx';

const route = getRouteApi('/reports');

type State = ReturnType<typeof route.useSearch>;

const matches = ({ id, title, description, chart }: Report, { q = '', kind, chart: wanted }: State): boolean =>
  `${title} ${description}`.toLowerCase().includes(q.toLowerCase()) &&
  (kind === undefined || (kind === 'saved') === isSaved(id)) &&
  (wanted === undefined || wanted === chart);

/** The gallery: the reports that the organization has saved, and those that come with the product. */
export function Reports() {
  const state = route.useSearch();
  const navigate = route.useNavigate();
  const saved = useQuery(savedReportsQuery);
  const starters = useQuery(starterReportsQuery);
  const maySeeAll = useSession().permissions.includes('view_all_projects');
  const change = (changed: Partial<State>): void =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true });
  const runnable = [...(saved.data ?? []), ...(starters.data ?? [])].filter(
    ({ query }) => maySeeAll || query.schema === 'library',
  );
  const isFiltered = Object.values(state).some((value) => value !== undefined);
  const shown = runnable.filter((report) => matches(report, state));
  return (
    <Page
      title={strings.reports}
      count={saved.data && starters.data && strings.shown(shown.length)}
      filters={
        <Filters>
          <TextFilter value={state.q} onChange={(q) => change({ q })} />
          <ChoiceFilter
            label={reportStrings.anyKind}
            options={choicesOf(reportStrings.kinds)}
            value={state.kind}
            onChange={(value) => change({ kind: value as State['kind'] })}
          />
          <ChoiceFilter
            label={reportStrings.anyChart}
            options={choicesOf(reportStrings.charts)}
            value={state.chart}
            onChange={(value) => change({ chart: value as State['chart'] })}
          />
        </Filters>
      }
    >
      <div className="page-scroll">
        <Loaded query={saved}>
          {() => (
            <Loaded query={starters}>
              {() =>
                shown.length > 0 ? (
                  <Stack p={{ base: 'md', sm: 'lg' }} gap="xl">
                    {!isFiltered && <FirstReports />}
                    <ReportSection title={reportStrings.kinds.saved} reports={shown.filter(({ id }) => isSaved(id))} />
                    <ReportSection
                      title={reportStrings.kinds.starter}
                      reports={shown.filter(({ id }) => !isSaved(id) && (isFiltered || !isFirst(id)))}
                    />
                  </Stack>
                ) : runnable.length > 0 ? (
                  <Empty title={reportStrings.noneFound}>
                    <Link to="/reports" search={{}} className="text-link">
                      {strings.removeFilters}
                    </Link>
                  </Empty>
                ) : (
                  <Empty title={reportStrings.none}>{reportStrings.noneText}</Empty>
                )
              }
            </Loaded>
          )}
        </Loaded>
      </div>
    </Page>
  );
}
