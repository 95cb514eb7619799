import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  removeTrackerConnection,
  runTrackerSync,
  previewTrackerSync,
  type SyncPreview,
  type TrackerConnection,
  trackerConnectionsQuery,
} from '../../../api/tracker-connections.ts';
import { Button, Group, Stack, Text, Title } from '../../../components/controls.ts';
import { hasFormDraft } from '../../../components/form.tsx';
import { ScrollRegion, Section } from '../../../components/layout.tsx';
import { Loaded } from '../../../components/states.tsx';
import { projectStrings as texts } from '../../../project-strings.ts';
import { strings } from '../../../strings.ts';
import { useChange } from '../../use-change.ts';
import { useSession } from '../../use-session.ts';
import { Connect } from './connect.tsx';
import { EditedTrackerConnection } from './edited-tracker-connection.tsx';
import { NewTrackerConnection } from './new-tracker-connection.tsx';
import { EditOrDisconnect, NextRun, RunNow } from './scheduled-run.tsx';
import type { SectionProps } from './section-props.ts';
import { TrackerRuns } from './tracker-runs.tsx';

/** More entries of one part would hide the others. */
const MAX_PREVIEWED = 20;

const PARTS = ['create', 'change', 'close', 'conflict'] as const;

/** What a run would do to an issue: the status, or which of its texts. */
function changeIn(fields: Readonly<Record<string, string>>): string {
  const status = fields['task_status'] ?? fields['status'];
  const names = Object.entries(texts.previewFields).flatMap(([field, name]) => (field in fields ? [name] : []));
  return (status === undefined ? '' : ` → ${status}`) + (names.length === 0 ? '' : ` (${names.join(', ')})`);
}

function Preview({ preview }: { readonly preview: SyncPreview }) {
  const parts = PARTS.filter((part) => preview[part].length > 0);
  if (parts.length === 0) return <Text size="sm">{texts.previewNothing}</Text>;
  return parts.map((part) => (
    <section key={part}>
      <Title order={4} size="h6" mb={6}>
        {texts.previewParts[part]} ({strings.shown(preview[part].length)})
      </Title>
      <ul className="plain-list" style={{ gap: 4 }} aria-label={texts.previewParts[part]}>
        {preview[part].slice(0, MAX_PREVIEWED).map(({ task, title, issue, fields }) => (
          <Text component="li" size="sm" key={`${task} ${issue}`} style={{ overflowWrap: 'anywhere' }}>
            {issue !== null && `${issue}: `}
            {title}
            {part !== 'create' && changeIn(fields)}
          </Text>
        ))}
      </ul>
      {preview[part].length > MAX_PREVIEWED && (
        <Text size="sm" c="dimmed">
          {strings.andMore(preview[part].length - MAX_PREVIEWED)}
        </Text>
      )}
    </section>
  ));
}

/** One connection: what it does, its runs, and what went wrong. */
function Connection({
  project,
  connection,
  mayEdit,
}: {
  readonly project: number;
  readonly connection: TrackerConnection;
  readonly mayEdit: boolean;
}) {
  const { id, project_key: key, frequency, min_priority: priority, next_run: nextRun } = connection;
  const [showsRuns, setShowsRuns] = useState(false);
  const [isEdited, setEdited] = useState(() => hasFormDraft(texts.editConnection(key)));
  const running = useChange(async () => {
    await runTrackerSync(project, id);
    setShowsRuns(true);
  }, ['tracker-runs', 'tracker-connections']);
  const previewing = useChange(() => previewTrackerSync(project, id), []);
  const removing = useChange(() => removeTrackerConnection(project, id), ['tracker-connections']);
  return (
    <Stack component="article" gap="sm" aria-label={key}>
      <div>
        <Title order={3} size="h5" style={{ overflowWrap: 'anywhere' }}>
          {key}
        </Title>
        <Text size="sm" c="dimmed">
          {texts.frequencies[frequency]} · {texts.fromPriority(priority)}
          <NextRun at={nextRun} />
        </Text>
      </div>
      <Group gap="xs">
        <Button
          size="sm"
          variant="default"
          aria-expanded={showsRuns}
          aria-label={texts.runsOf(key)}
          onClick={() => setShowsRuns(!showsRuns)}
        >
          {texts.runs}
        </Button>
        {mayEdit && (
          <>
            <RunNow projectKey={key} running={running} />
            <Button
              size="sm"
              variant="default"
              loading={previewing.isPending}
              aria-label={texts.previewRunOf(key)}
              onClick={() => previewing.mutate(undefined)}
            >
              {texts.previewRun}
            </Button>
            <EditOrDisconnect
              projectKey={key}
              isEdited={isEdited}
              onEdit={setEdited}
              question={texts.disconnectAsk}
              removing={removing}
            />
          </>
        )}
      </Group>
      {mayEdit && isEdited && (
        <EditedTrackerConnection project={project} connection={connection} onSaved={() => setEdited(false)} />
      )}
      {previewing.data && <Preview preview={previewing.data} />}
      {showsRuns && <TrackerRuns project={project} connection={id} mayEdit={mayEdit} />}
    </Stack>
  );
}

/** The issue trackers of a project. */
export function IssueTrackers({ project }: SectionProps) {
  const connections = useQuery(trackerConnectionsQuery(project.id));
  const mayEdit = !project.archived && !project.locked && (project.permissions?.includes('project') ?? false);
  const mayConnect = useSession().permissions.includes('edit_connections') && mayEdit;
  return (
    <ScrollRegion label={strings.projectSections.issues}>
      <Stack p={{ base: 'md', sm: 'lg' }} gap="xl" maw={860}>
        <Section id="trackers" title={texts.trackers}>
          <Stack gap="xl">
            <Text size="sm" c="dimmed">
              {texts.trackersText}
            </Text>
            <Loaded query={connections}>
              {({ results }) =>
                results.length === 0 ? (
                  <Text c="dimmed">
                    {texts.noTrackers} {!mayConnect && texts.noTrackersLead}
                  </Text>
                ) : (
                  results.map((connection) => (
                    <Connection key={connection.id} project={project.id} connection={connection} mayEdit={mayEdit} />
                  ))
                )
              }
            </Loaded>
          </Stack>
        </Section>
        {mayConnect && (
          <Connect title={texts.connectTracker}>
            {(close) => <NewTrackerConnection project={project.id} onConnected={close} />}
          </Connect>
        )}
      </Stack>
    </ScrollRegion>
  );
}
