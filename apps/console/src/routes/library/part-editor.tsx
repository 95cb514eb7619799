import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import { administrationStrings } from '../../administration-strings.ts';
import {
  changePart,
  createPart,
  editedCountermeasureQuery,
  editedPartQuery,
  type Part,
  partKindOf,
  type PartKind,
  removePart,
} from '../../api/library-editing.ts';
import { Group, Title } from '../../components/controls.ts';
import { type FieldsOf, Form } from '../../components/form.tsx';
import { Panel } from '../../components/layout.tsx';
import { Loaded } from '../../components/states.tsx';
import { libraryStrings as texts } from '../../library-strings.ts';
import { RemoveButton } from '../administration/remove-button.tsx';
import { EditForm } from '../edit-form.tsx';
import { useSaved } from '../use-change.ts';
import { Impact } from './impact.tsx';
import { ACTIVE, TEXT, TITLE } from './item-fields.ts';
import { CONCERNED, isCustomized, Restore } from './restore.tsx';

type PartFields = {
  readonly title: string;
  readonly text: string;
  readonly versions: string;
  readonly active: boolean;
};

const partValues = ({ title, text, versions = '', active }: Part): PartFields => ({ title, text, versions, active });

const partRoute = getRouteApi('/library/tasks/$id/edit/$kind/$part');

const fieldsFor = (kind: PartKind): FieldsOf<PartFields> => ({
  title: TITLE,
  text: TEXT,
  versions: kind === 'how-tos' ? { kind: 'text', label: texts.versions, description: texts.versionsHint } : undefined,
  active: ACTIVE,
});

const tasksRoute = getRouteApi('/library/tasks');

/** The way back to the countermeasure. */
function useClose(id: string): () => void {
  const navigate = tasksRoute.useNavigate();
  return useCallback(
    () => void navigate({ to: '/library/tasks/$id', params: { id }, search: (before) => before }),
    [id, navigate],
  );
}

/** Changes an additional requirement or a how-to. */
export function PartEditor() {
  const { id, kind: kindName, part } = partRoute.useParams();
  const kind = partKindOf(kindName);
  const query = editedPartQuery(id, kind, part);
  const edited = useQuery(query);
  const countermeasure = useQuery(editedCountermeasureQuery(id));
  const close = useClose(id);
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
              fields={fieldsFor(kind)}
            />
            {isCustomized(item) && (
              <Group>
                <Restore restore={() => removePart(id, kind, part, etag)} onRestored={close} />
              </Group>
            )}
            {item.type === 'Custom' && (
              <RemoveButton
                question={texts.removeAsk(item.title)}
                remove={() => removePart(id, kind, part, etag)}
                concerned={CONCERNED}
                onClose={close}
              />
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}

const newRoute = getRouteApi('/library/tasks/$id/new/$kind');

const EMPTY: PartFields = { title: '', text: '', versions: '', active: true };

/** Creates an additional requirement or a how-to, which applies where its countermeasure does. */
export function NewPart() {
  const { id, kind: kindName } = newRoute.useParams();
  const kind = partKindOf(kindName);
  const countermeasure = useQuery(editedCountermeasureQuery(id));
  const saved = useSaved(CONCERNED);
  const close = useClose(id);
  return (
    <Panel label={texts.newPart[kind]} onClose={close}>
      <Title order={2} size="h4" pr="xl">
        {texts.newPart[kind]}
      </Title>
      <Loaded query={countermeasure}>{(tagged) => <Impact countermeasure={tagged.item} />}</Loaded>
      <Form
        label={texts.newPart[kind]}
        initial={EMPTY}
        fields={fieldsFor(kind)}
        submit={administrationStrings.create}
        save={({ versions, ...fields }) => createPart(id, kind, versions === '' ? fields : { ...fields, versions })}
        onSaved={() => {
          saved();
          close();
        }}
      />
    </Panel>
  );
}
