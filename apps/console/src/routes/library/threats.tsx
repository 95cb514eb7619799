import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useParams } from '@tanstack/react-router';
import { useCallback } from 'react';
import { threatQuery, threatsQuery } from '../../api/library.ts';
import { Group, Text, Title } from '../../components/controls.ts';
import { Tag } from '../../components/formats.tsx';
import { HtmlText } from '../../components/html-text.tsx';
import { Panel } from '../../components/layout.tsx';
import { Loaded } from '../../components/states.tsx';
import { strings } from '../../strings.ts';
import { useList } from '../use-list.ts';
import { LibraryPage } from './library-page.tsx';
import { References } from '../../components/parts.tsx';

const route = getRouteApi('/library/threats');

export function Threats() {
  const { q } = route.useSearch();
  const { id } = useParams({ strict: false });
  const navigate = route.useNavigate();
  const threats = useList(threatsQuery({ q }));
  return (
    <LibraryPage
      title={strings.threats}
      path="/library/threats"
      query={threats}
      q={q}
      openId={id}
      onFilter={(text) => void navigate({ to: '.', search: (before) => ({ ...before, q: text }), replace: true })}
      renderRow={(item) => (
        <>
          <span className="row-id">{item.id}</span>
          <span className="row-title" title={item.title}>
            {item.title}
          </span>
          <span className="row-side row-wide">
            {item.stride.slice(0, 2).map((name) => (
              <Tag key={name}>{name}</Tag>
            ))}
          </span>
        </>
      )}
    />
  );
}

const panelRoute = getRouteApi('/library/threats/$id');

/** One threat of the library. */
export function Threat() {
  const { id } = panelRoute.useParams();
  const navigate = panelRoute.useNavigate();
  const query = useQuery(threatQuery(id));
  const close = useCallback(() => void navigate({ to: '/library/threats', search: (before) => before }), [navigate]);
  return (
    <Panel label={query.data?.title ?? id} onClose={close}>
      <Loaded query={query}>
        {(item) => (
          <>
            <Group gap="xs" mr={40}>
              <Text c="dimmed" size="sm">
                {item.id}
              </Text>
              <Tag>{item.type}</Tag>
              <Tag>{strings.severityOf(item.severity)}</Tag>
            </Group>
            <Title order={2} size="h4">
              {item.title}
            </Title>
            <HtmlText html={item.text} />
            {item.problems.length > 0 && (
              <Text size="sm">
                {strings.weaknesses}:{' '}
                {item.problems.map((problem) => (
                  <Link key={problem} to="/library/problems/$id" params={{ id: problem }} className="text-link spaced">
                    {problem}
                  </Link>
                ))}
              </Text>
            )}
            <References references={item.references} />
          </>
        )}
      </Loaded>
    </Panel>
  );
}
