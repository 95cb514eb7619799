import { basePath } from '../api/client.ts';
import { Button, Group, Stack, Text } from '../components/controls.ts';
import { DownloadCsv, type ListFile } from '../components/download-csv.tsx';
import { Sentence, Time } from '../components/formats.tsx';
import { Empty, Loaded } from '../components/states.tsx';
import { strings } from '../strings.ts';

interface Activity {
  readonly id: number;
  readonly text: string;
  readonly date: string;
}

/** What happened, with the times. */
export function ActivityList({
  label,
  activities,
}: {
  readonly label: string;
  readonly activities: readonly Activity[];
}) {
  return (
    <ul className="plain-list activities" aria-label={label}>
      {activities.map(({ id, text, date }) => (
        <li key={id} className="activity">
          <span className="activity-text">
            <Sentence text={text} base={basePath} />
          </span>
          <Text span size="sm" c="dimmed">
            <Time at={date} />
          </Text>
        </li>
      ))}
    </ul>
  );
}

interface Stream {
  readonly data: { readonly pages: readonly { readonly results: readonly Activity[] }[] } | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
}

/** Activities, newest first, of which more are loaded when someone asks for them. */
export function ActivityStream({
  label,
  stream,
  none,
  file,
}: {
  readonly label: string;
  readonly stream: Stream;
  readonly none: string;
  /** The same activities as a file, unless the page has a button for it. */
  readonly file?: ListFile;
}) {
  return (
    <Loaded query={stream}>
      {({ pages }) => {
        const all = pages.flatMap(({ results }) => results);
        if (all.length === 0) return <Empty title={none} />;
        return (
          <Stack>
            {file && (
              <Group justify="flex-end">
                <DownloadCsv list={file} name={label} />
              </Group>
            )}
            <ActivityList label={label} activities={all} />
            {stream.hasNextPage && (
              <Group>
                <Button
                  variant="default"
                  loading={stream.isFetchingNextPage}
                  onClick={() => void stream.fetchNextPage()}
                >
                  {strings.showMore}
                </Button>
              </Group>
            )}
          </Stack>
        );
      }}
    </Loaded>
  );
}
