import { useIsMutating, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Draft, type Preview, previewQuery } from '../../api/survey.ts';
import { Text, Title } from '../../components/controls.ts';
import { Priority } from '../../components/formats.tsx';
import { Loaded } from '../../components/states.tsx';
import { strings } from '../../strings.ts';

/** Each list shows only its most urgent entries. */
const MAX_SHOWN = 30;

interface Entry {
  readonly id: string;
  readonly content: ReactNode;
}

function Changes({ title, entries }: { readonly title: string; readonly entries: readonly Entry[] }) {
  if (entries.length === 0) return null;
  return (
    <section>
      <Title order={3} size="h6" mt="md" mb={6}>
        {title} ({strings.shown(entries.length)})
      </Title>
      <ul className="plain-list">
        {entries.slice(0, MAX_SHOWN).map(({ id, content }) => (
          <li key={id}>{content}</li>
        ))}
      </ul>
      {entries.length > MAX_SHOWN && (
        <Text size="sm" c="dimmed" mt={6}>
          {strings.andMore(entries.length - MAX_SHOWN)}
        </Text>
      )}
    </section>
  );
}

const countermeasures = (list: Preview['countermeasures']['added']): Entry[] =>
  list.map(({ id, title, priority, reason }) => ({
    id,
    content: (
      <span className="preview-item">
        <Priority value={priority} />
        <span>
          {title}
          <Text size="sm" c="dimmed" component="span" display="block">
            {reason}
          </Text>
        </span>
      </span>
    ),
  }));

const titled = (list: readonly { readonly id: string; readonly title: string }[]): Entry[] =>
  list.map(({ id, title }) => ({ id, content: title }));

const questions = (list: Preview['questions']['shown']): Entry[] => list.map(({ id, text }) => ({ id, content: text }));

const isEmpty = ({ countermeasures: tasks, weaknesses, threats, questions: asked }: Preview): boolean =>
  [tasks.added, tasks.removed, weaknesses.added, weaknesses.removed, threats.added, threats.removed].every(
    (list) => list.length === 0,
  ) && asked.hidden.length === 0;

/** What someone has said in a draft, as a text that identifies it. */
const saidIn = ({ answers, questions: asked }: Draft): string =>
  [
    ...answers.filter(({ selected }) => selected).map(({ id, state }) => `${id} ${state}`),
    ...asked.filter(({ none }) => none).map(({ id }) => id),
  ].join();

/** What committing the draft would change. It follows each answer. */
export function SurveyPreview({ project, draft }: { readonly project: number; readonly draft: Draft }) {
  const isSaving = useIsMutating({ mutationKey: ['answer', project] }) > 0;
  const query = useQuery({ ...previewQuery(project, saidIn(draft)), enabled: draft.dirty && !isSaving });
  return (
    <aside className="survey-preview" aria-labelledby="survey-preview" aria-busy={isSaving || query.isFetching}>
      <Title order={2} size="h5" id="survey-preview">
        {strings.preview}
      </Title>
      {draft.dirty ? (
        <Loaded query={query}>
          {(preview) =>
            isEmpty(preview) ? (
              <Text c="dimmed">{strings.previewEmpty}</Text>
            ) : (
              <>
                <Changes title={strings.previewAdded} entries={countermeasures(preview.countermeasures.added)} />
                <Changes title={strings.previewRemoved} entries={countermeasures(preview.countermeasures.removed)} />
                <Changes title={strings.previewWeaknessesAdded} entries={titled(preview.weaknesses.added)} />
                <Changes title={strings.previewWeaknessesRemoved} entries={titled(preview.weaknesses.removed)} />
                <Changes title={strings.previewThreatsAdded} entries={titled(preview.threats.added)} />
                <Changes title={strings.previewThreatsRemoved} entries={titled(preview.threats.removed)} />
                <Changes title={strings.previewQuestions} entries={questions(preview.questions.hidden)} />
              </>
            )
          }
        </Loaded>
      ) : (
        <Text c="dimmed">{strings.previewNone}</Text>
      )}
    </aside>
  );
}
