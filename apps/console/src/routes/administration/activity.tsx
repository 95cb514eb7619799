import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { activitiesQuery } from '../../api/activities.ts';
import { administrationStrings as texts } from '../../administration-strings.ts';
import { Stack, TextInput } from '../../components/controls.ts';
import { ChoiceFilter, Filters, TextFilter } from '../../components/filters.tsx';
import { Page, ScrollRegion } from '../../components/layout.tsx';
import { ActivityStream } from '../activity-list.tsx';
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
  const list = activitiesQuery({ q, actor, from, to });
  const activities = useInfiniteQuery(list);
  const change = (changed: Partial<State>): void =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...changed }), replace: true });
  return (
    <Page
      title={texts.sections.activity}
      above={<AdminTabs current="activity" />}
      file={{ list, name: texts.sections.activity }}
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
      <ScrollRegion label={texts.sections.activity}>
        <Stack p={{ base: 'md', sm: 'lg' }}>
          <ActivityStream label={texts.sections.activity} stream={activities} none={texts.noActivities} />
        </Stack>
      </ScrollRegion>
    </Page>
  );
}
