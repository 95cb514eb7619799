import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { activitiesQuery } from '../../api/administration.ts';
import { basePath } from '../../api/client.ts';
import { administrationStrings as texts } from '../../administration-strings.ts';
import { Button, Group, Stack, Text, TextInput } from '../../components/controls.ts';
import { ChoiceFilter, Filters, TextFilter } from '../../components/filters.tsx';
import { Sentence, Time } from '../../components/formats.tsx';
import { Page } from '../../components/layout.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { AdminTabs } from './admin-page.tsx';
import { useUsers } from './options.ts';

const route = getRouteApi('/administration/$section');

type State = ReturnType<typeof route.useSearch>;

/** A filter by a day. */
function DayFilter({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}) {
  return (
    <TextInput
      w={{ base: '48%', xs: 155 }}
      type="date"
      aria-label={label}
      title={label}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
    />
  );
}

/** What happened in the organization, newest first. */
export function Activity() {
  const { q, actor, from, to } = route.useSearch();
  const navigate = route.useNavigate();
  const users = useUsers();
  const activities = useInfiniteQuery(activitiesQuery({ q, actor, from, to }));
  const change = (changed: Partial<State>): void =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...changed }), replace: true });
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = activities;
  return (
    <Page
      title={texts.sections.activity}
      above={<AdminTabs current="activity" />}
      filters={
        <Filters>
          <TextFilter value={q} onChange={(text) => change({ q: text })} />
          <ChoiceFilter
            label={texts.anyUser}
            options={users}
            value={actor?.toString()}
            onChange={(value) => change({ actor: value === undefined ? undefined : Number(value) })}
          />
          <DayFilter label={texts.from} value={from} onChange={(day) => change({ from: day })} />
          <DayFilter label={texts.to} value={to} onChange={(day) => change({ to: day })} />
        </Filters>
      }
    >
      {/* Who uses keys must be able to scroll what contains no links. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="page-scroll" role="region" aria-label={texts.sections.activity} tabIndex={0}>
        <Loaded query={activities}>
          {({ pages }) => {
            const all = pages.flatMap(({ results }) => results);
            if (all.length === 0) return <Empty title={texts.noActivities} />;
            return (
              <Stack p={{ base: 'md', sm: 'lg' }}>
                <ul className="plain-list" aria-label={texts.sections.activity}>
                  {all.map(({ id, text, date }) => (
                    <li key={id}>
                      <Group justify="space-between" gap="xs" style={{ rowGap: 0 }}>
                        <span style={{ overflowWrap: 'anywhere', minWidth: 0 }}>
                          <Sentence text={text} base={basePath} />
                        </span>
                        <Text size="sm" c="dimmed">
                          <Time at={date} />
                        </Text>
                      </Group>
                    </li>
                  ))}
                </ul>
                {hasNextPage && (
                  <Group>
                    <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                      {texts.more}
                    </Button>
                  </Group>
                )}
              </Stack>
            );
          }}
        </Loaded>
      </div>
    </Page>
  );
}
