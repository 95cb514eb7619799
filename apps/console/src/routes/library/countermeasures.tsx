import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useParams } from '@tanstack/react-router';
import { useCallback } from 'react';
import { phasesQuery } from '../../api/countermeasures.ts';
import type { MatchConditions } from '../../api/library-editing.ts';
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
import { useList } from '../use-list.ts';
import { LibraryPage } from './library-page.tsx';
import { References } from '../../components/parts.tsx';
import { sentencesOf } from './conditions.ts';
import { PartList } from './part-list.tsx';
import { isCustomized } from './restore.tsx';

const MAX_TAGS = 2;

const route = getRouteApi('/library/tasks');

export function LibraryCountermeasures() {
  const filters = route.useSearch();
  const { id } = useParams({ strict: false });
  const navigate = route.useNavigate();
  const countermeasures = useList(libraryCountermeasuresQuery(filters));
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

/** Which projects get a countermeasure, in sentences. */
function Conditions({ conditions }: { readonly conditions: MatchConditions }) {
  if (conditions.length === 0) return <Text c="dimmed">{libraryStrings.noConditions}</Text>;
  return (
    <>
      <Text size="sm" id="conditions">
        {libraryStrings.conditionsHint}
      </Text>
      <ul className="prose" aria-labelledby="conditions">
        {sentencesOf(conditions).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </>
  );
}

const panelRoute = getRouteApi('/library/tasks/$id');

/** One countermeasure of the library. */
export function LibraryCountermeasure() {
  const { id } = panelRoute.useParams();
  const navigate = panelRoute.useNavigate();
  const query = useQuery(libraryCountermeasureQuery(id));
  const mayEdit = useSession().permissions.includes('customize_content');
  const close = useCallback(() => void navigate({ to: '/library/tasks', search: (before) => before }), [navigate]);
  return (
    <Panel label={query.data?.title ?? id} onClose={close}>
      <Loaded query={query}>
        {(item) => (
          <>
            <Group gap="xs" fz="sm" mr={40}>
              <Priority value={item.priority} />
              <Text c="dimmed" size="sm">
                {item.id}
              </Text>
              {typeof item.phase === 'object' && <Tag>{item.phase.name}</Tag>}
              <Tag>{item.type}</Tag>
              {isCustomized(item) && (
                <Link
                  to="/library/tasks/$id/original"
                  params={{ id }}
                  className="text-link"
                  aria-label={libraryStrings.compareItem(item.title)}
                >
                  {libraryStrings.compare}
                </Link>
              )}
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
                <Tabs.Tab value="conditions">{libraryStrings.appliesWhen}</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="text" pt="md">
                <HtmlText html={item.text} />
                <References references={item.references} />
              </Tabs.Panel>
              <Tabs.Panel value="amendments" pt="md">
                <PartList
                  task={id}
                  kind="amendments"
                  parts={item.amendments ?? []}
                  none={strings.noAdditional}
                  mayEdit={mayEdit}
                />
              </Tabs.Panel>
              <Tabs.Panel value="how-tos" pt="md">
                <PartList
                  task={id}
                  kind="how-tos"
                  parts={item.how_tos ?? []}
                  none={strings.noLibraryHowTos}
                  mayEdit={mayEdit}
                />
              </Tabs.Panel>
              <Tabs.Panel value="conditions" pt="md">
                <Conditions conditions={item.match_conditions ?? []} />
              </Tabs.Panel>
            </Tabs>
          </>
        )}
      </Loaded>
    </Panel>
  );
}
