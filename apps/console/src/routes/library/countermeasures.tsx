import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useParams } from '@tanstack/react-router';
import { useCallback } from 'react';
import { phasesQuery } from '../../api/countermeasures.ts';
import type { PartKind } from '../../api/library-editing.ts';
import { libraryCountermeasureQuery, libraryCountermeasuresQuery, libraryTagsQuery } from '../../api/library.ts';
import { Group, Tabs, Text, Title } from '../../components/controls.ts';
import { SearchedFilter } from '../../components/filters.tsx';
import { Priority, Tag } from '../../components/formats.tsx';
import { HtmlText } from '../../components/html-text.tsx';
import { Panel } from '../../components/layout.tsx';
import { Loaded } from '../../components/states.tsx';
import { libraryStrings } from '../../library-strings.ts';
import { strings } from '../../strings.ts';
import { useSession } from '../use-session.ts';
import { ContentFilters, facetOptions } from '../content-filters.tsx';
import { LibraryPage } from './library-page.tsx';
import { Parts, References } from '../../components/parts.tsx';

const MAX_TAGS = 2;

const route = getRouteApi('/library/tasks');

export function LibraryCountermeasures() {
  const filters = route.useSearch();
  const { id } = useParams({ strict: false });
  const navigate = route.useNavigate();
  const countermeasures = useQuery(libraryCountermeasuresQuery(filters));
  const phases = useQuery(phasesQuery);
  const names = new Map(phases.data?.results.map((phase) => [phase.id, phase.name]));
  const change = (changed: Partial<typeof filters>): void =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...changed }), replace: true });
  return (
    <LibraryPage
      title={strings.countermeasures}
      path="/library/tasks"
      query={countermeasures}
      q={filters.q}
      openId={id}
      onFilter={(q) => change({ q })}
      filters={
        <>
          <ContentFilters state={filters} facets={countermeasures.data?.facets} onChange={change} />
          <SearchedFilter
            label={strings.anyTag}
            options={facetOptions(countermeasures.data?.facets?.tag)}
            value={filters.tag}
            onChange={(tag) => change({ tag })}
            find={(text) => libraryTagsQuery(filters, text)}
          />
        </>
      }
      renderRow={(item) => (
        <>
          <Priority value={item.priority} />
          <span className="row-id">{item.id}</span>
          <span className="row-title" title={item.title}>
            {item.title}
          </span>
          <span className="row-side row-wide">
            {item.tags?.slice(0, MAX_TAGS).map((tag) => (
              <Tag key={tag}>{tag}</Tag>
            ))}
            <span className="row-fixed">{typeof item.phase === 'string' && names.get(item.phase)}</span>
          </span>
        </>
      )}
    />
  );
}

const panelRoute = getRouteApi('/library/tasks/$id');

/** One countermeasure of the library. */
export function LibraryCountermeasure() {
  const { id } = panelRoute.useParams();
  const navigate = panelRoute.useNavigate();
  const query = useQuery(libraryCountermeasureQuery(id));
  const mayEdit = useSession().permissions.includes('customize_content');
  const editPart = (kind: PartKind) => (part: { readonly id: string; readonly title: string }) =>
    mayEdit && (
      <Link
        to="/library/tasks/$id/edit/$kind/$part"
        params={{ id, kind, part: part.id }}
        search={(before) => before}
        className="text-link"
        aria-label={libraryStrings.editItem(part.title)}
      >
        {strings.edit}
      </Link>
    );
  const close = useCallback(() => void navigate({ to: '/library/tasks', search: (before) => before }), [navigate]);
  return (
    <Panel label={query.data?.title ?? id} onClose={close}>
      <Loaded query={query}>
        {(item) => (
          <>
            <Group gap="xs">
              <Priority value={item.priority} />
              <Text c="dimmed" size="sm">
                {item.id}
              </Text>
              {typeof item.phase === 'object' && <Tag>{item.phase.name}</Tag>}
              <Tag>{item.type}</Tag>
              {mayEdit && (
                <Link
                  to="/library/tasks/$id/edit"
                  params={{ id }}
                  search={(before) => before}
                  className="text-link"
                  aria-label={libraryStrings.editItem(item.title)}
                >
                  {strings.edit}
                </Link>
              )}
            </Group>
            <Title order={2} size="h4">
              {item.title}
            </Title>
            {typeof item.problem === 'object' && (
              <Text size="sm">
                {strings.prevents}{' '}
                <Link to="/library/problems/$id" params={{ id: item.problem.id }} className="text-link">
                  {item.problem.title}
                </Link>
              </Text>
            )}
            <Group gap={6}>
              {item.tags?.map((tag) => (
                <Tag key={tag}>{tag}</Tag>
              ))}
            </Group>
            <Tabs defaultValue="text" keepMounted={false} key={item.id}>
              <Tabs.List>
                <Tabs.Tab value="text">{strings.requirement}</Tabs.Tab>
                <Tabs.Tab value="amendments">{strings.additional}</Tabs.Tab>
                <Tabs.Tab value="how-tos">{strings.howTos}</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="text" pt="md">
                <HtmlText html={item.text} />
                <References references={item.references} />
              </Tabs.Panel>
              <Tabs.Panel value="amendments" pt="md">
                <Parts parts={item.amendments ?? []} none={strings.noAdditional} actions={editPart('amendments')} />
              </Tabs.Panel>
              <Tabs.Panel value="how-tos" pt="md">
                <Parts parts={item.how_tos ?? []} none={strings.noLibraryHowTos} actions={editPart('how-tos')} />
              </Tabs.Panel>
            </Tabs>
          </>
        )}
      </Loaded>
    </Panel>
  );
}
