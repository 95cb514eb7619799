import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import {
  countermeasureVersionsQuery,
  type ItemVersions,
  type MatchConditions,
  type Part,
  partKindOf,
  partVersionsQuery,
  removeLibraryCountermeasure,
  removePart,
} from '../../api/library-editing.ts';
import type { DataOf } from '../../api/client.ts';
import { Stack, Text, Title } from '../../components/controls.ts';
import { Page, ScrollRegion } from '../../components/layout.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { TextVersions } from '../../components/text-difference.tsx';
import { libraryStrings as texts } from '../../library-strings.ts';
import { strings } from '../../strings.ts';
import { useSession } from '../use-session.ts';
import { sentencesOf } from './conditions.ts';
import { isCustomized, Restore } from './restore.tsx';

/** The fields of an item, by label, as lines of text. */
type FieldTexts = Readonly<Record<string, string>>;

interface Shown {
  readonly title: string;
  readonly text: string;
  readonly type: string;
  readonly active: boolean;
  readonly references?: readonly string[];
  readonly match_conditions?: MatchConditions;
}

const lines = (values: readonly string[] | undefined): string => (values ?? []).join('\n');

/** The fields that all items of the library have, around those that only some have. */
const fieldsOf = (item: Shown, others: FieldTexts): FieldTexts => ({
  [texts.title]: item.title,
  [texts.text]: item.text,
  ...others,
  [texts.sources]: lines(item.references),
  [texts.appliesWhen]: lines(sentencesOf(item.match_conditions ?? [])),
  [texts.active]: item.active ? strings.yes : strings.no,
});

const NAMES = [texts.original, texts.customized] as const;

const libraryRoute = getRouteApi('/library');

/** A customized item and its original: the fields that differ, next to each other. */
function Comparison<Item extends Shown>({
  task,
  id,
  query,
  fieldsIn,
  restore,
}: {
  readonly task: string;
  readonly id: string;
  readonly query: UseQueryResult<ItemVersions<Item>>;
  readonly fieldsIn: (item: Item) => FieldTexts;
  readonly restore: (etag: string) => Promise<unknown>;
}) {
  const navigate = libraryRoute.useNavigate();
  const mayEdit = useSession().permissions.includes('customize_content');
  const back = { to: '/library/tasks/$id', params: { id: task } } as const;
  const title = texts.compareItem(query.data?.own.title ?? id);
  return (
    <Page
      title={title}
      above={
        <nav className="page-tabs" aria-label={strings.countermeasures}>
          <Link {...back} className="page-tab" activeOptions={{ exact: true }}>
            ‹ {texts.backTo(task)}
          </Link>
        </nav>
      }
      actions={
        mayEdit &&
        query.data &&
        isCustomized(query.data.own) && (
          <Restore restore={() => restore(query.data.etag)} onRestored={() => void navigate(back)} />
        )
      }
    >
      <ScrollRegion label={texts.comparison}>
        <Loaded query={query}>
          {({ own, original }) => {
            if (!isCustomized(own)) return <Empty title={texts.isOriginal} />;
            const before = fieldsIn(original);
            const differing = Object.entries(fieldsIn(own)).filter(([label, after]) => before[label] !== after);
            return (
              <Stack p={{ base: 'md', sm: 'lg' }} gap="xl" maw={1200}>
                {differing.length === 0 && <Text>{texts.sameFields}</Text>}
                {differing.map(([label, after]) => (
                  <section key={label} aria-label={label}>
                    <Title order={2} size="h5" mb="xs">
                      {label}
                    </Title>
                    <TextVersions
                      label={label}
                      before={before[label] || texts.nothing}
                      after={after || texts.nothing}
                      names={NAMES}
                    />
                  </section>
                ))}
              </Stack>
            );
          }}
        </Loaded>
      </ScrollRegion>
    </Page>
  );
}

type Countermeasure = DataOf<typeof countermeasureVersionsQuery>['own'];

const countermeasureFields = (item: Countermeasure): FieldTexts =>
  fieldsOf(item, {
    [texts.weakness]: typeof item.problem === 'string' ? item.problem : item.problem.title,
    [texts.priority]: String(item.priority),
    [texts.level]: String(item.level),
    [texts.phase]: typeof item.phase === 'string' ? item.phase : item.phase.name,
    [texts.tags]: lines(item.tags),
  });

const route = getRouteApi('/library/tasks/$id/original');

export function CountermeasureComparison() {
  const { id } = route.useParams();
  return (
    <Comparison
      task={id}
      id={id}
      query={useQuery(countermeasureVersionsQuery(id))}
      fieldsIn={countermeasureFields}
      restore={(etag) => removeLibraryCountermeasure(id, etag)}
    />
  );
}

const partFields = (item: Part): FieldTexts =>
  fieldsOf(item, item.versions === undefined ? {} : { [texts.versions]: item.versions });

const partRoute = getRouteApi('/library/tasks/$id/original/$kind/$part');

export function PartComparison() {
  const { id, kind: kindName, part } = partRoute.useParams();
  const kind = partKindOf(kindName);
  return (
    <Comparison
      task={id}
      id={part}
      query={useQuery(partVersionsQuery(id, kind, part))}
      fieldsIn={partFields}
      restore={(etag) => removePart(id, kind, part, etag)}
    />
  );
}
