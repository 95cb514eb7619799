import { useQuery } from '@tanstack/react-query';
import { type Countermeasure, countermeasureQuery, type Status } from '../../api/countermeasures.ts';
import { projectQuery } from '../../api/projects.ts';
import { Group, Tabs, Text, Title } from '../../components/controls.ts';
import { hasDraft } from '../../components/draft.ts';
import { nameOf, Priority, StatusBadge, Tag, Time } from '../../components/formats.tsx';
import { HtmlText } from '../../components/html-text.tsx';
import { Panel } from '../../components/layout.tsx';
import { Parts } from '../../components/parts.tsx';
import { Loaded } from '../../components/states.tsx';
import { strings } from '../../strings.ts';
import { Assignment } from './assignment.tsx';
import { History } from './history.tsx';
import { noteDraft, Notes } from './notes.tsx';
import { Reasons } from './reasons.tsx';
import { StatusForm } from './status-form.tsx';
import { Verification, VerificationBadge } from './verification.tsx';

function Details({
  project,
  item,
  etag,
}: {
  readonly project: number;
  readonly item: Countermeasure;
  readonly etag: string;
}) {
  const { problem } = item;
  const mayAssign = useQuery(projectQuery(project)).data?.permissions?.includes('tasks') ?? false;
  return (
    <>
      <Group gap="xs">
        <Priority value={item.priority} />
        <Text c="dimmed" size="sm">
          {item.task_id}
        </Text>
        <StatusBadge status={item.status as Status} />
        {item.verification_status !== 'none' && <VerificationBadge status={item.verification_status} />}
      </Group>
      <Title order={2} size="h4">
        {item.title}
      </Title>
      {problem !== null && typeof problem === 'object' && (
        <Text size="sm">
          {strings.prevents} <em>{problem.title}</em>
        </Text>
      )}
      <Group gap={6}>
        {item.tags?.map((tag) => (
          <Tag key={tag}>{tag}</Tag>
        ))}
      </Group>
      <Text size="sm" c="dimmed">
        {strings.assignedTo}: {item.assigned_to.map(nameOf).join(', ') || strings.noOne} · {strings.lastChange}:{' '}
        <Time at={item.updated} />
      </Text>
      <StatusForm key={item.task_id} project={project} item={item} etag={etag} />
      <Tabs
        defaultValue={hasDraft(noteDraft(project, item.task_id)) ? 'notes' : 'text'}
        keepMounted={false}
        key={`tabs ${item.id}`}
      >
        <Tabs.List>
          <Tabs.Tab value="text">{strings.requirement}</Tabs.Tab>
          {(item.amendments?.length ?? 0) > 0 && <Tabs.Tab value="amendments">{strings.additional}</Tabs.Tab>}
          <Tabs.Tab value="how-tos">{strings.howTos}</Tabs.Tab>
          <Tabs.Tab value="why">{strings.why}</Tabs.Tab>
          <Tabs.Tab value="notes">{strings.notes}</Tabs.Tab>
          <Tabs.Tab value="verification">{strings.verification}</Tabs.Tab>
          {mayAssign && <Tabs.Tab value="assignment">{strings.assignment}</Tabs.Tab>}
          <Tabs.Tab value="history">{strings.history}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="text" pt="md">
          <HtmlText html={item.text} />
        </Tabs.Panel>
        <Tabs.Panel value="amendments" pt="md">
          <Parts parts={item.amendments ?? []} />
        </Tabs.Panel>
        <Tabs.Panel value="how-tos" pt="md">
          <Parts parts={item.how_tos ?? []} none={strings.noHowTos} />
        </Tabs.Panel>
        <Tabs.Panel value="why" pt="md">
          <Reasons project={project} id={item.task_id} />
        </Tabs.Panel>
        <Tabs.Panel value="notes" pt="md">
          <Notes project={project} task={item.task_id} />
        </Tabs.Panel>
        <Tabs.Panel value="verification" pt="md">
          <Verification project={project} task={item.task_id} />
        </Tabs.Panel>
        {/* What someone has begun to change stays while they read another tab. */}
        <Tabs.Panel value="assignment" pt="md" keepMounted>
          <Assignment project={project} item={item} />
        </Tabs.Panel>
        <Tabs.Panel value="history" pt="md">
          <History project={project} task={item.task_id} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

/** One countermeasure of a project, with everything that someone needs to work on it. */
export function CountermeasurePanel({
  project,
  id,
  onClose,
}: {
  readonly project: number;
  readonly id: string;
  readonly onClose: () => void;
}) {
  const query = useQuery(countermeasureQuery(project, id.replace(/^\d+-/, '')));
  return (
    <Panel label={query.data?.item.title ?? id} onClose={onClose}>
      <Loaded query={query}>{({ item, etag }) => <Details project={project} item={item} etag={etag} />}</Loaded>
    </Panel>
  );
}
