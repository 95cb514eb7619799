import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  removeVerificationConnection,
  runVerification,
  type VerificationConnection,
  verificationConnectionsQuery,
} from '../../../api/verification-connections.ts';
import { Group, Stack, Text } from '../../../components/controls.ts';
import { StateBadge, Time } from '../../../components/formats.tsx';
import { hasFormDraft } from '../../../components/form.tsx';
import { ScrollRegion, Section } from '../../../components/layout.tsx';
import { Loaded } from '../../../components/states.tsx';
import { projectStrings as texts } from '../../../project-strings.ts';
import { strings } from '../../../strings.ts';
import { useChange } from '../../use-change.ts';
import { useSession } from '../../use-session.ts';
import { Connect } from './connect.tsx';
import { EditedToolConnection, NewToolConnection } from './tool-connection.tsx';
import { ScanUpload } from './scan-upload.tsx';
import { EditOrDisconnect, NextRun, RunNow } from './scheduled-run.tsx';
import type { SectionProps } from './section-props.ts';

function State({ connection: { last_run: lastRun, error } }: { readonly connection: VerificationConnection }) {
  if (error !== null) return <StateBadge tone="bad">{texts.runFailed}</StateBadge>;
  if (lastRun === null) return <StateBadge tone="neutral">{texts.runNever}</StateBadge>;
  return <StateBadge tone="good">{texts.runSucceeded}</StateBadge>;
}

function Connection({
  project,
  connection,
  mayEdit,
}: {
  readonly project: number;
  readonly connection: VerificationConnection;
  readonly mayEdit: boolean;
}) {
  const { id, project_key: key, branch, frequency, last_run: lastRun, next_run: nextRun } = connection;
  const running = useChange(() => runVerification(project, id), ['verification-connections']);
  const removing = useChange(() => removeVerificationConnection(project, id), ['verification-connections']);
  const [isEdited, setEdited] = useState(() => hasFormDraft(texts.editConnection(key)));
  return (
    <Stack component="li" gap="sm" aria-label={key}>
      <div>
        <Group gap="xs">
          <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
            {texts.sonarProject(key, branch)}
          </Text>
          <State connection={connection} />
        </Group>
        {connection.error !== null && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {texts.runError} {connection.error}
          </Text>
        )}
        {lastRun !== null && (
          <Text size="sm" c="dimmed">
            {texts.lastRun} <Time at={lastRun} />
            {connection.error === null && ` · ${texts.verifiedBy(connection.tasks_verified)}`}
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {texts.frequencies[frequency]}
          <NextRun at={nextRun} />
        </Text>
      </div>
      {mayEdit && (
        <Group gap="xs">
          <RunNow projectKey={key} running={running} />
          <EditOrDisconnect
            projectKey={key}
            isEdited={isEdited}
            onEdit={setEdited}
            question={texts.disconnectToolAsk}
            removing={removing}
          />
        </Group>
      )}
      {mayEdit && isEdited && (
        <EditedToolConnection project={project} connection={connection} onSaved={() => setEdited(false)} />
      )}
    </Stack>
  );
}

/** Which tools verify the countermeasures of a project, and what became of it. */
export function VerificationTools({ project }: SectionProps) {
  const connections = useQuery(verificationConnectionsQuery(project.id));
  const may = (permission: 'project' | 'verification'): boolean =>
    !project.archived && !project.locked && (project.permissions?.includes(permission) ?? false);
  const mayConnect = useSession().permissions.includes('edit_connections') && may('project');
  return (
    <ScrollRegion label={strings.projectSections.verification}>
      <Stack p={{ base: 'md', sm: 'lg' }} gap="xl" maw={860}>
        <Section id="connections" title={texts.connections}>
          <Loaded query={connections}>
            {({ results }) =>
              results.length === 0 ? (
                <Text c="dimmed">
                  {texts.noConnections} {!mayConnect && texts.noConnectionsLead}
                </Text>
              ) : (
                <ul className="plain-list" style={{ gap: 24 }} aria-labelledby="connections">
                  {results.map((connection) => (
                    <Connection
                      key={connection.id}
                      project={project.id}
                      connection={connection}
                      mayEdit={may('project')}
                    />
                  ))}
                </ul>
              )
            }
          </Loaded>
        </Section>
        {mayConnect && (
          <Connect title={texts.connectTool}>
            {(close) => <NewToolConnection project={project.id} onConnected={close} />}
          </Connect>
        )}
        <Section id="scans" title={texts.scans}>
          <Stack gap="sm">
            <Text c="dimmed" size="sm">
              {texts.scansText}
            </Text>
            {may('verification') ? <ScanUpload project={project.id} /> : <Text c="dimmed">{texts.noUpload}</Text>}
          </Stack>
        </Section>
      </Stack>
    </ScrollRegion>
  );
}
