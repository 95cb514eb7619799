import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useParams } from '@tanstack/react-router';
import { useCallback } from 'react';
import { weaknessesQuery, weaknessQuery } from '../../api/library.ts';
import { Group, Text, Title } from '../../components/controls.ts';
import { Priority, Tag } from '../../components/formats.tsx';
import { HtmlText } from '../../components/html-text.tsx';
import { Panel } from '../../components/layout.tsx';
import { Loaded } from '../../components/states.tsx';
import { strings } from '../../strings.ts';
import { useList } from '../use-list.ts';
import { LibraryPage } from './library-page.tsx';
import { References } from '../../components/parts.tsx';

const route = getRouteApi('/library/problems');

const cweOf = (cwe: number | { readonly id: number }): string => `CWE-${typeof cwe === 'number' ? cwe : cwe.id}`;

export function Weaknesses() {
  const { q } = route.useSearch();
  const { id } = useParams({ strict: false });
  const navigate = route.useNavigate();
  const weaknesses = useList(weaknessesQuery({ q }));
  return (
    <LibraryPage
      title={strings.weaknesses}
      path="/library/problems"
      query={weaknesses}
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
            {item.cwe.slice(0, 3).map((cwe) => (
              <Tag key={cweOf(cwe)}>{cweOf(cwe)}</Tag>
            ))}
          </span>
        </>
      )}
    />
  );
}

const panelRoute = getRouteApi('/library/problems/$id');

/** One weakness of the library, with the countermeasures against it. */
export function Weakness() {
  const { id } = panelRoute.useParams();
  const navigate = panelRoute.useNavigate();
  const query = useQuery(weaknessQuery(id));
  const close = useCallback(() => void navigate({ to: '/library/problems', search: (before) => before }), [navigate]);
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
              {item.cwe.map((cwe) => (
                <Tag key={cweOf(cwe)}>{cweOf(cwe)}</Tag>
              ))}
            </Group>
            <Title order={2} size="h4">
              {item.title}
            </Title>
            <HtmlText html={item.text} />
            <section>
              <Title order={3} size="h5" mb={6}>
                {strings.countermeasuresAgainst}
              </Title>
              <ul className="plain-list">
                {item.related_tasks?.map((task) => (
                  <li key={task.id}>
                    <Priority value={task.priority} />{' '}
                    <Link to="/library/tasks/$id" params={{ id: task.id }} className="text-link">
                      {task.title}
                    </Link>
                  </li>
                ))}
              </ul>
            </section>
            <References references={item.references} />
          </>
        )}
      </Loaded>
    </Panel>
  );
}
