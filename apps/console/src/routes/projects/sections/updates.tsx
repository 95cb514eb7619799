import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import {
  acceptCountermeasure,
  applyComponentUpdates,
  type ComponentUpdate,
  componentUpdatesQuery,
  type CountermeasureUpdate,
  countermeasureUpdatesQuery,
} from '../../../api/project-sections.ts';
import { Button, Group, Stack, Text } from '../../../components/controls.ts';
import { DownloadCsv } from '../../../components/download-csv.tsx';
import { Priority } from '../../../components/formats.tsx';
import { ScrollRegion, Section } from '../../../components/layout.tsx';
import { Empty, Loaded } from '../../../components/states.tsx';
import { toast } from '../../../components/toasts.tsx';
import { projectStrings as texts } from '../../../project-strings.ts';
import { strings } from '../../../strings.ts';
import { useChange } from '../../use-change.ts';
import { useList } from '../../use-list.ts';
import type { SectionProps } from './section-props.ts';

/** What a decision on an update changes. */
const CONCERNED = [
  'project-updates',
  'project',
  'projects',
  'countermeasures',
  'gate',
  'home',
  'activities',
  'project-weaknesses',
  'project-threats',
];

function Entry({ children, action }: { readonly children: ReactNode; readonly action: ReactNode }) {
  return (
    <li className="entry">
      <div className="entry-text">{children}</div>
      {action}
    </li>
  );
}

function CountermeasureEntry({
  project,
  update,
  mayDecide,
}: {
  readonly project: number;
  readonly update: CountermeasureUpdate;
  readonly mayDecide: boolean;
}) {
  const { task_id: task, title, priority, relevant, inclusion_reason: reason } = update;
  const deciding = useChange(async () => {
    await acceptCountermeasure(project, task, relevant);
    toast(relevant ? texts.added(title) : texts.removed(title));
  }, CONCERNED);
  const action = relevant ? texts.addTo : texts.removeFrom;
  return (
    <Entry
      action={
        mayDecide && (
          <Button
            variant="default"
            size="xs"
            aria-label={texts.labelOf(action, title)}
            loading={deciding.isPending}
            onClick={() => deciding.mutate(undefined)}
          >
            {action}
          </Button>
        )
      }
    >
      <span className="line">
        <Priority value={priority} />
        <Link to="/projects/$project/tasks/$task" params={{ project: String(project), task }} className="text-link">
          {title}
        </Link>
      </span>
      <Text size="sm" mt={4}>
        {relevant ? texts.applies : texts.appliesNot}
      </Text>
      {reason !== '' && (
        <Text size="sm" c="dimmed">
          {reason}
        </Text>
      )}
    </Entry>
  );
}

const FIELDS = ['tasks_introduced', 'tasks_implemented', 'implied_attributes'] as const;

/** What a change of a component does, one sentence for each list that differs. */
const sentencesOf = (update: ComponentUpdate): string[] =>
  FIELDS.flatMap((field) =>
    (['added', 'removed'] as const).flatMap((kind) =>
      update[field][kind].length > 0 ? [`${texts.changes[field][kind]} ${update[field][kind].join(', ')}.`] : [],
    ),
  );

function Components({
  updates,
  mayDecide,
  apply,
  isApplying,
}: {
  readonly updates: readonly ComponentUpdate[];
  readonly mayDecide: boolean;
  readonly apply: (ids: readonly string[]) => void;
  readonly isApplying: boolean;
}) {
  return (
    <Section id="component-updates" title={texts.componentUpdates}>
      <Group justify="space-between" mb="xs">
        <Text size="sm" c="dimmed">
          {texts.componentUpdatesText}
        </Text>
        {mayDecide && updates.length > 1 && (
          <Button size="xs" loading={isApplying} onClick={() => apply(updates.map(({ id }) => id))}>
            {texts.applyAll}
          </Button>
        )}
      </Group>
      <ul className="plain-list" style={{ gap: 0 }} aria-labelledby="component-updates">
        {updates.map((update) => (
          <Entry
            key={update.id}
            action={
              mayDecide && (
                <Button
                  variant="default"
                  size="xs"
                  aria-label={texts.labelOf(texts.apply, update.title)}
                  disabled={isApplying}
                  onClick={() => apply([update.id])}
                >
                  {texts.apply}
                </Button>
              )
            }
          >
            <Text fw={500}>{update.title}</Text>
            {sentencesOf(update).map((sentence) => (
              <Text key={sentence} size="sm" c="dimmed">
                {sentence}
              </Text>
            ))}
          </Entry>
        ))}
      </ul>
    </Section>
  );
}

/** Changes of the library on which the project has to decide. */
export function Updates({ project }: SectionProps) {
  const countermeasures = useList(countermeasureUpdatesQuery(project.id));
  const components = useQuery(componentUpdatesQuery(project.id));
  const applying = useChange(async (ids: readonly string[]) => {
    await applyComponentUpdates(project.id, ids);
    toast(texts.applied);
  }, CONCERNED);
  const mayDecide = project.permissions?.includes('tasks') ?? false;
  return (
    <ScrollRegion label={strings.projectSections.updates}>
      <Loaded query={countermeasures}>
        {({ results: tasks }) => (
          <Loaded query={components}>
            {({ results: changed }) =>
              tasks.length + changed.length === 0 ? (
                <Empty title={texts.noUpdates}>{texts.noUpdatesText}</Empty>
              ) : (
                <Stack p={{ base: 'md', sm: 'lg' }} gap="xl" maw={960}>
                  {changed.length > 0 && (
                    <Components
                      updates={changed}
                      mayDecide={mayDecide}
                      apply={(ids) => applying.mutate(ids)}
                      isApplying={applying.isPending}
                    />
                  )}
                  {tasks.length > 0 && (
                    <Section id="task-updates" title={texts.countermeasureUpdates}>
                      <Group justify="space-between" mb="xs">
                        <Text size="sm" c="dimmed">
                          {texts.countermeasureUpdatesText}
                        </Text>
                        <DownloadCsv list={countermeasures} name={texts.countermeasureUpdates} />
                      </Group>
                      <ul className="plain-list" style={{ gap: 0 }} aria-labelledby="task-updates">
                        {tasks.map((update) => (
                          <CountermeasureEntry
                            key={update.id}
                            project={project.id}
                            update={update}
                            mayDecide={mayDecide}
                          />
                        ))}
                      </ul>
                    </Section>
                  )}
                </Stack>
              )
            }
          </Loaded>
        )}
      </Loaded>
    </ScrollRegion>
  );
}
