import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import {
  type CountermeasureList,
  countermeasuresQuery,
  type ListedCountermeasure,
} from '../../../api/countermeasures.ts';
import { type Gate, gateQuery } from '../../../api/project-sections.ts';
import { Group, SimpleGrid, Stack, Text, Title } from '../../../components/controls.ts';
import { type Counts, idOf, Priority, Tag, Time, WorkProgress } from '../../../components/formats.tsx';
import { ScrollRegion, Section } from '../../../components/layout.tsx';
import { Loaded } from '../../../components/states.tsx';
import { projectStrings as texts } from '../../../project-strings.ts';
import { strings } from '../../../strings.ts';
import type { SectionProps } from './section-props.ts';

/** As many countermeasures as someone reads at once. */
const MAX_LISTED = 8;

type Reason = Gate['failed'][number];

function Missing({ project, reason }: { readonly project: string; readonly reason: Reason }) {
  const { rule, message, countermeasures } = reason;
  const more = countermeasures.length - MAX_LISTED;
  return (
    <li>
      <Text mb={6}>{message}</Text>
      {rule === 'survey' && (
        <Link to="/projects/$project/survey" params={{ project }} className="text-link">
          {texts.surveyMissing}
        </Link>
      )}
      {countermeasures.length > 0 && (
        <ul className="plain-list">
          {countermeasures.slice(0, MAX_LISTED).map(({ id, title, priority }) => (
            <li key={id} className="line">
              <Priority value={priority} />
              <Link
                to="/projects/$project/tasks/$task"
                params={{ project, task: id.replace(/^\d+-/, '') }}
                className="text-link clipped"
                title={title}
              >
                {title}
              </Link>
            </li>
          ))}
        </ul>
      )}
      {more > 0 && (
        <Text size="sm" mt={8}>
          <Link to="/projects/$project" params={{ project }} search={{ status: 'TS2' }} className="text-link">
            {texts.remainingOf(more)}
          </Link>
        </Text>
      )}
    </li>
  );
}

/** Whether the project may be released, and what is missing, in sentences. */
function GateCard({ project, gate, mayChange }: { project: string; gate: Gate; mayChange: boolean }) {
  return (
    <Stack gap="md">
      <Group gap="xs" wrap="nowrap" align="flex-start">
        {gate.passed ? (
          <IconCircleCheck className="gate-passed" size={26} aria-hidden />
        ) : (
          <IconCircleX className="gate-missing" size={26} aria-hidden />
        )}
        <div>
          <Text fw={600} size="lg" lh={1.3}>
            {gate.passed ? texts.passed : texts.notPassed}
          </Text>
          <Text size="sm" c="dimmed">
            {gate.policy ? texts.policy(gate.policy.name) : texts.noPolicy}{' '}
            {mayChange && (
              <Link to="/projects/$project/$section" params={{ project, section: 'settings' }} className="text-link">
                {texts.choosePolicy}
              </Link>
            )}
          </Text>
        </div>
      </Group>
      {gate.failed.length > 0 && (
        <ul className="plain-list" style={{ gap: 18 }}>
          {gate.failed.map((reason) => (
            <Missing key={`${reason.rule} ${reason.message}`} project={project} reason={reason} />
          ))}
        </ul>
      )}
    </Stack>
  );
}

const countsOf = (items: readonly ListedCountermeasure[]): Counts => {
  const of = (status: string): number => items.filter((item) => idOf(item.status) === status).length;
  return { total: items.length, complete: of('TS1'), not_applicable: of('TS3') };
};

interface Part {
  readonly key: string;
  readonly link: ReactNode;
  readonly counts: Counts;
}

function ProgressList({ label, parts }: { readonly label: string; readonly parts: readonly Part[] }) {
  return (
    <div>
      <Title order={3} size="h6" mb={8}>
        {label}
      </Title>
      <ul className="plain-list" aria-label={label}>
        {parts.map(({ key, link, counts }) => (
          <li key={key} className="line">
            {link}
            <WorkProgress counts={counts} width={90} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** How much is done in each phase and of each priority. Each leads to its countermeasures. */
function WorkDone({ project, list }: { readonly project: string; readonly list: CountermeasureList }) {
  const names = new Map(list.facets?.phase.map(({ value, label }) => [value, label]));
  const byPhase = Map.groupBy(list.results, ({ phase }) => idOf(phase));
  const byPriority = Map.groupBy(list.results, ({ priority }) => priority);
  const phases = [...byPhase].map(([phase, items]) => ({
    key: phase,
    link: (
      <Link to="/projects/$project" params={{ project }} search={{ phase }} className="text-link line-start clipped">
        {names.get(phase) ?? phase}
      </Link>
    ),
    counts: countsOf(items),
  }));
  const priorities = [...byPriority]
    .toSorted(([a], [b]) => b - a)
    .map(([priority, items]) => ({
      key: String(priority),
      link: (
        <span className="line-start">
          <Priority value={priority} />
        </span>
      ),
      counts: countsOf(items),
    }));
  if (list.results.length === 0) return <Text c="dimmed">{strings.noCountermeasures}</Text>;
  return (
    <Stack gap="lg">
      <ProgressList label={texts.byPhase} parts={phases} />
      <ProgressList label={texts.byPriority} parts={priorities} />
    </Stack>
  );
}

/** How a project is doing: what a release still needs, and how much is done. */
export function Overview({ project }: SectionProps) {
  const gate = useQuery(gateQuery(project.id));
  const countermeasures = useQuery(countermeasuresQuery(project.id, {}));
  const id = String(project.id);
  return (
    <ScrollRegion label={strings.projectSections.overview}>
      <Stack p={{ base: 'md', sm: 'lg' }} gap="xl" maw={1280}>
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing={48} verticalSpacing="xl">
          <Section id="gate" title={texts.gate}>
            <Loaded query={gate}>
              {(data) => (
                <GateCard project={id} gate={data} mayChange={project.permissions?.includes('project') ?? false} />
              )}
            </Loaded>
          </Section>
          <Stack gap="xl" miw={0}>
            <Section id="progress" title={texts.progress}>
              <Loaded query={countermeasures}>{(list) => <WorkDone project={id} list={list} />}</Loaded>
            </Section>
            <Section id="about" title={texts.about}>
              <Stack gap="xs">
                {project.description !== '' && <Text className="note-text">{project.description}</Text>}
                <Text size="sm" c="dimmed">
                  {strings.profile}: {project.profile?.name ?? '–'} · {texts.created}: <Time at={project.created} /> ·{' '}
                  {texts.lastSaved}: <Time at={project.updated} />
                </Text>
                {project.tags.length > 0 && (
                  <Group gap={6} aria-label={texts.tags}>
                    {project.tags.map((tag) => (
                      <Tag key={tag}>{tag}</Tag>
                    ))}
                  </Group>
                )}
              </Stack>
            </Section>
          </Stack>
        </SimpleGrid>
      </Stack>
    </ScrollRegion>
  );
}
