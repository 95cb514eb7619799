import { getRouteApi, Link, useParams } from '@tanstack/react-router';
import { IconPlus } from '@tabler/icons-react';
import { type ReactNode, useCallback } from 'react';
import { type AdministrationSection, sectionsFor } from '../../api/access.ts';
import { administrationStrings } from '../../administration-strings.ts';
import type { List } from '../use-list.ts';
import { useSession } from '../use-session.ts';
import { Button, Title } from '../../components/controls.ts';
import { Filters, TextFilter } from '../../components/filters.tsx';
import { ItemList } from '../../components/item-list.tsx';
import { Page, Panel } from '../../components/layout.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { strings } from '../../strings.ts';

const route = getRouteApi('/administration/$section');

/** The last part of the address of a form for a new item. */
const NEW = 'new';

/** The parts of the administration that the user may use. */
export function AdminTabs({ current }: { readonly current: AdministrationSection }) {
  return (
    <nav className="page-tabs" aria-label={administrationStrings.pages} style={{ flexWrap: 'wrap', rowGap: 6 }}>
      {sectionsFor(useSession()).map((section) => (
        <Link
          key={section}
          to="/administration/$section"
          params={{ section }}
          className="page-tab"
          aria-current={section === current ? 'page' : undefined}
        >
          {administrationStrings.sections[section]}
        </Link>
      ))}
    </nav>
  );
}

interface AdminPageProps<Item> {
  readonly section: AdministrationSection;
  readonly list: List<{ readonly results: readonly Item[] }>;
  readonly renderRow: (item: Item) => ReactNode;
  readonly titleOf: (item: Item) => string;
  readonly create: string;
  /** The form for a new item; `open` shows the item afterwards. */
  readonly renderNew: (open: (id: number | string) => void) => ReactNode;
  readonly renderItem: (item: Item, close: () => void) => ReactNode;
  /** Whether the API can search in the list. */
  readonly hasSearch?: boolean;
  readonly empty: { readonly title: string; readonly text?: string };
}

/** A kind of items that is managed: its list, and next to it the open item or the form for a new one. */
export function AdminPage<Item extends { readonly id: number | string }>(props: AdminPageProps<Item>) {
  const { section, list, create, titleOf, empty, hasSearch = true } = props;
  const { id } = useParams({ strict: false });
  const { q } = route.useSearch();
  const navigate = route.useNavigate();
  const title = administrationStrings.sections[section];
  const close = useCallback(
    () => void navigate({ to: '/administration/$section', params: { section }, search: (before) => before }),
    [navigate, section],
  );
  const open = (opened: number | string): void =>
    void navigate({
      to: '/administration/$section/$id',
      params: { section, id: String(opened) },
      search: (before) => before,
    });
  const item = list.data?.results.find((one) => String(one.id) === id);
  const row = (one: Item, isOpen: boolean) => (
    <Link
      className="row"
      to="/administration/$section/$id"
      params={{ section, id: String(one.id) }}
      search={(before) => before}
      aria-current={isOpen || undefined}
    >
      {props.renderRow(one)}
    </Link>
  );
  const panelTitle = id === NEW ? create : item ? titleOf(item) : title;
  return (
    <Page
      title={title}
      above={<AdminTabs current={section} />}
      file={{ list, name: title }}
      count={list.data && strings.shown(list.data.results.length)}
      actions={
        <Button leftSection={<IconPlus size={16} />} onClick={() => open(NEW)}>
          {create}
        </Button>
      }
      filters={
        hasSearch && (
          <Filters>
            <TextFilter
              value={q}
              onChange={(text) =>
                void navigate({ to: '.', search: (before) => ({ ...before, q: text }), replace: true })
              }
            />
          </Filters>
        )
      }
      panel={
        id !== undefined && (
          <Panel label={panelTitle} onClose={close} key={id}>
            {id === NEW ? (
              <>
                <Title order={2} size="h4">
                  {create}
                </Title>
                {props.renderNew(open)}
              </>
            ) : (
              <Loaded query={list}>
                {() =>
                  item ? (
                    <>
                      <Title order={2} size="h4" mr={40} style={{ overflowWrap: 'anywhere' }}>
                        {titleOf(item)}
                      </Title>
                      {props.renderItem(item, close)}
                    </>
                  ) : (
                    <Empty title={administrationStrings.unknown}>{administrationStrings.unknownText}</Empty>
                  )
                }
              </Loaded>
            )}
          </Panel>
        )
      }
    >
      <Loaded query={list}>
        {({ results }) =>
          results.length > 0 ? (
            <ItemList
              label={title}
              items={results}
              keyOf={(one) => String(one.id)}
              openKey={id === NEW ? undefined : id}
              renderRow={row}
            />
          ) : q !== undefined ? (
            <Empty title={strings.nothingFound}>
              <Link to="/administration/$section" params={{ section }} search={{}} className="text-link">
                {strings.removeFilters}
              </Link>
            </Empty>
          ) : (
            <Empty title={empty.title}>{empty.text}</Empty>
          )
        }
      </Loaded>
    </Page>
  );
}
