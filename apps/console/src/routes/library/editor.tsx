import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Fragment, useCallback } from 'react';
import { phasesQuery } from '../../api/countermeasures.ts';
import {
  changeLibraryCountermeasure,
  changePart,
  type EditedCountermeasure,
  editedCountermeasureQuery,
  editedPartQuery,
  partKindOf,
  type Part,
  reachedProjectsQuery,
  removeLibraryCountermeasure,
  removePart,
  renderMarkdown,
} from '../../api/library-editing.ts';
import { Group, Text, Title } from '../../components/controls.ts';
import { idOf } from '../../components/formats.tsx';
import { Panel } from '../../components/layout.tsx';
import { Loaded } from '../../components/states.tsx';
import { libraryStrings as texts } from '../../library-strings.ts';
import { EditForm } from '../edit-form.tsx';
import { CONCERNED, isCustomized, Restore } from './restore.tsx';

/** Which projects a change reaches, before it is saved. */
function Impact({ countermeasure }: { readonly countermeasure: EditedCountermeasure }) {
  const reached = useQuery(reachedProjectsQuery(countermeasure.id, countermeasure.match_conditions));
  return (
    <section aria-label={texts.impact}>
      <Loaded query={reached}>
        {({ count, projects }) =>
          count === 0 ? (
            <Text size="sm">{texts.noImpact}</Text>
          ) : (
            <>
              <Text size="sm">
                {texts.hasImpact(count)}{' '}
                {projects.map(({ id, name }, index) => (
                  <Fragment key={id}>
                    {index > 0 && ', '}
                    <Link to="/projects/$project" params={{ project: String(id) }} className="text-link">
                      {name}
                    </Link>
                  </Fragment>
                ))}
                {count > projects.length && `, ${texts.otherProjects(count - projects.length)}`}
              </Text>
              <Text size="sm" c="dimmed">
                {texts.impactLimits}
              </Text>
            </>
          )
        }
      </Loaded>
    </section>
  );
}

const TITLE = { kind: 'text', label: texts.title, isRequired: true } as const;
const TEXT = {
  kind: 'markdown',
  label: texts.text,
  description: texts.textHint,
  isRequired: true,
  render: renderMarkdown,
} as const;
const ACTIVE = { kind: 'switch', label: texts.active, description: texts.activeHint } as const;

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => String(from + index)).map((value) => ({ value, label: value }));

const PRIORITIES = numbers(1, 10);
const LEVELS = numbers(1, 3);

type CountermeasureFields = {
  readonly title: string;
  readonly text: string;
  readonly priority: string;
  readonly level: string;
  readonly phase: string;
  readonly tags: readonly string[];
  readonly references: readonly string[];
  readonly active: boolean;
};

const valuesOf = (item: EditedCountermeasure): CountermeasureFields => ({
  title: item.title,
  text: item.text,
  priority: String(item.priority),
  level: String(item.level ?? 1),
  phase: idOf(item.phase),
  tags: item.tags ?? [],
  references: item.references ?? [],
  active: item.active,
});

const bodyOf = ({ priority, level, tags, references, ...others }: Partial<CountermeasureFields>) => ({
  ...others,
  ...(priority !== undefined && { priority: Number(priority) }),
  ...(level !== undefined && { level: Number(level) }),
  ...(tags !== undefined && { tags: [...tags] }),
  ...(references !== undefined && { references: [...references] }),
});

const route = getRouteApi('/library/tasks/$id/edit');

/** Changes a countermeasure of the library. */
export function CountermeasureEditor() {
  const { id } = route.useParams();
  const navigate = route.useNavigate();
  const phases = useQuery(phasesQuery);
  const query = editedCountermeasureQuery(id);
  const edited = useQuery(query);
  const close = useCallback(
    () => void navigate({ to: '/library/tasks/$id', params: { id }, search: (before) => before }),
    [id, navigate],
  );
  return (
    <Panel label={texts.editItem(edited.data?.item.title ?? id)} onClose={close}>
      <Loaded query={edited}>
        {({ item, etag }) => (
          <>
            <Title order={2} size="h4" pr="xl">
              {texts.editItem(item.title)}
            </Title>
            <Impact countermeasure={item} />
            <EditForm
              label={texts.editItem(item.title)}
              query={query}
              valuesOf={valuesOf}
              change={(changed, tag) => changeLibraryCountermeasure(id, bodyOf(changed), tag)}
              concerned={CONCERNED}
              onSaved={close}
              fields={{
                title: TITLE,
                text: TEXT,
                priority: {
                  kind: 'choice',
                  label: texts.priority,
                  description: texts.priorityHint,
                  isRequired: true,
                  options: PRIORITIES,
                },
                level: {
                  kind: 'choice',
                  label: texts.level,
                  description: texts.levelHint,
                  isRequired: true,
                  options: LEVELS,
                },
                phase: {
                  kind: 'choice',
                  label: texts.phase,
                  isRequired: true,
                  options: (phases.data?.results ?? []).map((phase) => ({ value: phase.id, label: phase.name })),
                },
                tags: { kind: 'tags', label: texts.tags },
                references: { kind: 'tags', label: texts.sources, description: texts.sourcesHint },
                active: ACTIVE,
              }}
            />
            {isCustomized(item) && (
              <Group>
                <Restore restore={() => removeLibraryCountermeasure(id, etag)} onRestored={close} />
              </Group>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}

type PartFields = {
  readonly title: string;
  readonly text: string;
  readonly versions: string;
  readonly active: boolean;
};

const partValues = ({ title, text, versions = '', active }: Part): PartFields => ({ title, text, versions, active });

const partRoute = getRouteApi('/library/tasks/$id/edit/$kind/$part');

/** Changes an additional requirement or a how-to. */
export function PartEditor() {
  const { id, kind: kindName, part } = partRoute.useParams();
  const kind = partKindOf(kindName);
  const navigate = partRoute.useNavigate();
  const query = editedPartQuery(id, kind, part);
  const edited = useQuery(query);
  const countermeasure = useQuery(editedCountermeasureQuery(id));
  const close = useCallback(
    () => void navigate({ to: '/library/tasks/$id', params: { id }, search: (before) => before }),
    [id, navigate],
  );
  return (
    <Panel label={texts.editItem(edited.data?.item.title ?? part)} onClose={close}>
      <Loaded query={edited}>
        {({ item, etag }) => (
          <>
            <Title order={2} size="h4" pr="xl">
              {texts.editItem(item.title)}
            </Title>
            <Loaded query={countermeasure}>{(tagged) => <Impact countermeasure={tagged.item} />}</Loaded>
            <EditForm
              label={texts.editItem(item.title)}
              query={query}
              valuesOf={partValues}
              change={(changed, tag) => changePart(id, kind, part, changed, tag)}
              concerned={CONCERNED}
              onSaved={close}
              fields={{
                title: TITLE,
                text: TEXT,
                versions:
                  kind === 'how-tos'
                    ? { kind: 'text', label: texts.versions, description: texts.versionsHint }
                    : undefined,
                active: ACTIVE,
              }}
            />
            {isCustomized(item) && (
              <Group>
                <Restore restore={() => removePart(id, kind, part, etag)} onRestored={close} />
              </Group>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}
