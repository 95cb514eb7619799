import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import { phasesQuery } from '../../api/countermeasures.ts';
import {
  changeLibraryCountermeasure,
  type EditedCountermeasure,
  editedCountermeasureQuery,
  removeLibraryCountermeasure,
} from '../../api/library-editing.ts';
import { Group, Title } from '../../components/controls.ts';
import { idOf } from '../../components/formats.tsx';
import { Panel } from '../../components/layout.tsx';
import { Loaded } from '../../components/states.tsx';
import { libraryStrings as texts } from '../../library-strings.ts';
import { EditForm } from '../edit-form.tsx';
import { Impact } from './impact.tsx';
import { ACTIVE, TEXT, TITLE } from './item-fields.ts';
import { CONCERNED, isCustomized, Restore } from './restore.tsx';

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
