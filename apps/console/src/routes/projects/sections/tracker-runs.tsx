import { useQuery } from '@tanstack/react-query';
import { type TrackerRun, trackerRunsQuery } from '../../../api/tracker-connections.ts';
import { Group, Text, Title } from '../../../components/controls.ts';
import { StateBadge, Time } from '../../../components/formats.tsx';
import { Loaded } from '../../../components/states.tsx';
import { projectStrings as texts } from '../../../project-strings.ts';
import { IssueProblems } from './issue-problems.tsx';

const TONES = { pending: 'neutral', running: 'neutral', succeeded: 'good', failed: 'bad' } as const;

const COUNTS = Object.entries(texts.runCounts) as [keyof typeof texts.runCounts, (value: number) => string][];

function Run({ run }: { readonly run: TrackerRun }) {
  const counts = COUNTS.filter(([name]) => run[name] > 0).map(([name, textOf]) => textOf(run[name]));
  const summary = counts.length > 0 ? counts.join(' · ') : run.status === 'succeeded' && texts.runWithoutChange;
  return (
    <li>
      <Group gap="xs">
        <StateBadge tone={TONES[run.status]}>{texts.runStates[run.status]}</StateBadge>
        <Text size="sm" c="dimmed">
          <Time at={run.finished ?? run.started ?? run.created} />
        </Text>
        {summary && <Text size="sm">{summary}</Text>}
      </Group>
      {run.error !== null && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {run.error}
        </Text>
      )}
    </li>
  );
}

/** What the latest runs of a connection did, newest first, and the issues with problems after them. */
export function TrackerRuns({
  project,
  connection,
  mayEdit,
}: {
  readonly project: number;
  readonly connection: number;
  readonly mayEdit: boolean;
}) {
  const runs = useQuery(trackerRunsQuery(project, connection));
  return (
    <Loaded query={runs}>
      {({ results }) => (
        <>
          <section>
            <Title order={4} size="h6" mb={6}>
              {texts.runs}
            </Title>
            {results.length === 0 ? (
              <Text size="sm" c="dimmed">
                {texts.noRuns}
              </Text>
            ) : (
              <ul className="plain-list" aria-label={texts.runs}>
                {results.map((run) => (
                  <Run key={run.id} run={run} />
                ))}
              </ul>
            )}
          </section>
          <IssueProblems
            project={project}
            connection={connection}
            mayEdit={mayEdit}
            lastRun={results.find(({ finished }) => finished !== null)?.id}
          />
        </>
      )}
    </Loaded>
  );
}
