import { Link, Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Filters, TextFilter } from '../../components/filters.tsx';
import { ItemList } from '../../components/item-list.tsx';
import { Page } from '../../components/layout.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { strings } from '../../strings.ts';
import type { List } from '../use-list.ts';

/** A kind of items of the library: a list with filters, and the open item next to it. */
export function LibraryPage<Item extends { readonly id: string }>({
  title,
  path,
  query,
  q,
  openId,
  onFilter,
  filters,
  renderRow,
}: {
  readonly title: string;
  readonly path: '/library/tasks' | '/library/problems' | '/library/threats';
  readonly query: List<{ readonly results: readonly Item[] }>;
  readonly q: string | undefined;
  readonly openId: string | undefined;
  readonly onFilter: (q: string | undefined) => void;
  readonly filters?: ReactNode;
  readonly renderRow: (item: Item) => ReactNode;
}) {
  const row = (item: Item, isOpen: boolean) => (
    <Link
      className="row"
      to={`${path}/$id`}
      params={{ id: item.id }}
      search={(before) => before}
      aria-current={isOpen || undefined}
    >
      {renderRow(item)}
    </Link>
  );
  return (
    <Page
      title={title}
      file={{ list: query, name: title }}
      count={query.data && strings.shown(query.data.results.length)}
      filters={
        <Filters>
          <TextFilter value={q} onChange={onFilter} />
          {filters}
        </Filters>
      }
      panel={<Outlet />}
    >
      <Loaded query={query}>
        {({ results }) =>
          results.length > 0 ? (
            <ItemList label={title} items={results} keyOf={({ id }) => id} openKey={openId} renderRow={row} />
          ) : (
            <Empty title={strings.nothingFound}>
              <Link to={path} search={{}} className="text-link">
                {strings.removeFilters}
              </Link>
            </Empty>
          )
        }
      </Loaded>
    </Page>
  );
}
