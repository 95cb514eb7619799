import { getRouteApi, Link } from '@tanstack/react-router';
import { useCallback } from 'react';
import { type ListedCountermeasure, myCountermeasuresQuery } from '../../api/countermeasures.ts';
import { ItemList } from '../../components/item-list.tsx';
import { Page } from '../../components/layout.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { strings } from '../../strings.ts';
import { CountermeasurePanel } from './countermeasure-panel.tsx';
import { useList } from '../use-list.ts';
import { useWorkGroups } from './use-work-groups.ts';
import { WorkFilters } from './work-filters.tsx';
import { WorkRow } from './work-row.tsx';

const route = getRouteApi('/my-work');

/** The countermeasures that are assigned to the user. */
export function MyWork() {
  const { group, open, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const work = useList(myCountermeasuresQuery(filters));
  const groupOf = useWorkGroups(group, work.data);
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const close = useCallback(() => void navigate({ search: (before) => ({ ...before, open: undefined }) }), [navigate]);
  const row = (item: ListedCountermeasure, isOpen: boolean) => (
    <Link
      className="row"
      from="/my-work"
      to="/my-work"
      search={(before) => ({ ...before, open: item.id })}
      activeOptions={{ exact: true, includeSearch: true }}
      aria-current={isOpen || undefined}
    >
      <WorkRow item={item} place={item.project?.name ?? ''} />
    </Link>
  );
  return (
    <Page
      title={strings.myWork}
      file={{ list: work, name: strings.myWork }}
      count={work.data && strings.shown(work.data.results.length)}
      filters={
        <WorkFilters
          state={{ ...filters, group }}
          facets={work.data?.facets}
          onChange={(changed) => void navigate({ search: (before) => ({ ...before, ...changed }), replace: true })}
        />
      }
      panel={
        open !== undefined && <CountermeasurePanel project={Number.parseInt(open, 10)} id={open} onClose={close} />
      }
    >
      <Loaded query={work}>
        {({ results }) =>
          results.length > 0 ? (
            <ItemList
              label={strings.myWork}
              items={results}
              keyOf={({ id }) => id}
              groupOf={groupOf}
              openKey={open}
              renderRow={row}
            />
          ) : isFiltered ? (
            <Empty title={strings.nothingMatches}>
              <Link to="/my-work" search={{}} className="text-link">
                {strings.removeFilters}
              </Link>
            </Empty>
          ) : (
            <Empty title={strings.noWork}>
              <p>{strings.noWorkText}</p>
              <Link to="/projects" className="text-link">
                {strings.toProjects}
              </Link>
            </Empty>
          )
        }
      </Loaded>
    </Page>
  );
}
