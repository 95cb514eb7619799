import { useQuery } from '@tanstack/react-query';
import {
  runVerification,
  type VerificationConnection,
  verificationConnectionsQuery,
} from '../../../api/verification-connections.ts';
import { Group, Stack, Text } from '../../../components/controls.ts';
import { StateBadge, Time } from '../../../components/formats.tsx';
import { ScrollRegion, Section } from '../../../components/layout.tsx';
import { Loaded } from '../../../components/states.tsx';
import { projectStrings as texts } from '../../../project-strings.ts';
import { strings } from '../../../strings.ts';
import { useChange } from '../../use-change.ts';
import { ScanUpload } from './scan-upload.tsx';
import { NextRun, RunNow } from './scheduled-run.tsx';
import type { SectionProps } from './section-props.ts';

function State({ connection: { last_run: lastRun, error } }: { readonly connection: VerificationConnection }) {
  if (error !== null) return <StateBadge tone="bad">{texts.runFailed}</StateBadge>;
  if (lastRun === null) return <StateBadge tone="neutral">{texts.runNever}</StateBadge>;
  return <StateBadge tone="good">{texts.runSucceeded}</StateBadge>;
}

function Connection({
  project,
  connection,
  mayRun,
}: {
  readonly project: number;
  readonly connection: VerificationConnection;
  readonly mayRun: boolean;
}) {
  const { id, project_key: key, branch, frequency, last_run: lastRun, next_run: nextRun } = connection;
  const running = useChange(() => runVerification(project, id), ['verification-connections']);
  return (
    <li className="entry">
      <div className="entry-text">
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
      {mayRun && <RunNow projectKey={key} running={running} />}
    </li>
  );
}

/** Which tools verify the countermeasures of a project, and what became of it. */
export function VerificationTools({ project }: SectionProps) {
  const connections = useQuery(verificationConnectionsQuery(project.id));
  const may = (permission: 'project' | 'verification'): boolean =>
    !project.archived && !project.locked && (project.permissions?.includes(permission) ?? false);
  return (
    <ScrollRegion label={strings.projectSections.verification}>
      <Stack p={{ base: 'md', sm: 'lg' }} gap="xl" maw={860}>
        <Section id="connections" title={texts.connections}>
          <Loaded query={connections}>
            {({ results }) =>
              results.length === 0 ? (
                <Text c="dimmed">{texts.noConnections}</Text>
              ) : (
                <ul className="plain-list" style={{ gap: 0 }} aria-labelledby="connections">
                  {results.map((connection) => (
                    <Connection
                      key={connection.id}
                      project={project.id}
                      connection={connection}
                      mayRun={may('project')}
                    />
                  ))}
                </ul>
              )
            }
          </Loaded>
        </Section>
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
