import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Outlet, useParams } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { countermeasuresQuery, type ListedCountermeasure } from '../../api/countermeasures.ts';
import { projectQuery } from '../../api/projects.ts';
import { idOf, WorkProgress } from '../../components/formats.tsx';
import { ItemList } from '../../components/item-list.tsx';
import { Page } from '../../components/layout.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { strings } from '../../strings.ts';
import { useList } from '../use-list.ts';
import { BulkBar } from './bulk-bar.tsx';
import { CountermeasurePanel } from './countermeasure-panel.tsx';
import { ProjectTabs } from './project-tabs.tsx';
import { usePhases, useWorkGroups } from './use-work-groups.ts';
import { WorkFilters } from './work-filters.tsx';
import { WorkRow } from './work-row.tsx';

const route = getRouteApi('/projects/$project');

/** The countermeasures of a project, with one of them open next to the list. */
export function ProjectPage() {
  const { project } = route.useParams();
  const { task } = useParams({ strict: false });
  const { group, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const id = Number(project);
  const details = useQuery(projectQuery(id));
  const countermeasures = useList(countermeasuresQuery(id, filters));
  const phases = usePhases();
  const groupOf = useWorkGroups(group, countermeasures.data);
  const [chosen, setSelected] = useState<ReadonlySet<string>>(new Set());
  // What a filter hides is not changed.
  const shownKeys = new Set(countermeasures.data?.results.map((item) => item.task_id));
  const selected = new Set([...chosen].filter((key) => shownKeys.has(key)));
  const mayChange = details.data?.permissions?.includes('status') ?? false;
  const isFiltered = Object.values(filters).some((value) => value !== undefined);

  const row = (item: ListedCountermeasure, isOpen: boolean) => (
    <Link
      className="row"
      from="/projects/$project"
      to="/projects/$project/tasks/$task"
      params={{ project, task: item.task_id }}
      search={(before) => before}
      aria-current={isOpen || undefined}
    >
      <WorkRow item={item} place={phases.get(idOf(item.phase)) ?? ''} />
    </Link>
  );
  return (
    <Page
      title={details.data?.name ?? ''}
      above={<ProjectTabs project={project} current="countermeasures" />}
      count={countermeasures.data && strings.shown(countermeasures.data.results.length)}
      file={{ list: countermeasures, name: strings.countermeasures }}
      actions={details.data?.task_counts && <WorkProgress counts={details.data.task_counts} />}
      filters={
        <WorkFilters
          project={id}
          state={{ ...filters, group }}
          facets={countermeasures.data?.facets}
          onChange={(changed) =>
            void navigate({ to: '.', search: (before) => ({ ...before, ...changed }), replace: true })
          }
        />
      }
      panel={<Outlet />}
    >
      <Loaded query={countermeasures}>
        {({ results }) =>
          results.length > 0 ? (
            <ItemList
              label={strings.countermeasures}
              items={results}
              keyOf={(item) => item.task_id}
              groupOf={groupOf}
              openKey={task?.replace(/^\d+-/, '')}
              renderRow={row}
              selection={
                mayChange ? { keys: selected, labelOf: ({ title }) => title, onChange: setSelected } : undefined
              }
            />
          ) : isFiltered ? (
            <Empty title={strings.nothingMatches}>
              <Link to="/projects/$project" params={{ project }} search={{}} className="text-link">
                {strings.removeFilters}
              </Link>
            </Empty>
          ) : (
            <Empty title={strings.noCountermeasures}>
              <p>{strings.noCountermeasuresText}</p>
              <Link to="/projects/$project/survey" params={{ project }} className="text-link">
                {strings.openSurvey}
              </Link>
            </Empty>
          )
        }
      </Loaded>
      {chosen.size > 0 && <BulkBar project={id} selected={selected} onSelect={setSelected} />}
    </Page>
  );
}

const panelRoute = getRouteApi('/projects/$project/tasks/$task');

/** The countermeasure that the address names. */
export function ProjectCountermeasure() {
  const { project, task } = panelRoute.useParams();
  const navigate = panelRoute.useNavigate();
  const close = useCallback(
    () => void navigate({ to: '/projects/$project', params: { project }, search: (before) => before }),
    [navigate, project],
  );
  return <CountermeasurePanel project={Number(project)} id={task} onClose={close} />;
}
