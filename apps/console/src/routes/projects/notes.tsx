import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { addNote, notesQuery } from '../../api/countermeasures.ts';
import { projectQuery } from '../../api/projects.ts';
import { Button, Group, Stack, Text } from '../../components/controls.ts';
import { useDraft } from '../../components/draft.ts';
import { DraftField } from '../../components/draft-field.tsx';
import { nameOf, Time } from '../../components/formats.tsx';
import { Failure, Loaded } from '../../components/states.tsx';
import { strings } from '../../strings.ts';

/** The name of the draft of a note. */
export const noteDraft = (project: number, task: string): string => `note.${project}.${task}`;

/** The notes of a countermeasure, and a field for another one. */
export function Notes({ project, task }: { readonly project: number; readonly task: string }) {
  const queries = useQueryClient();
  const notes = useQuery(notesQuery(project, task));
  const may = useQuery(projectQuery(project)).data?.permissions?.includes('notes') ?? false;
  const draft = useDraft(noteDraft(project, task), '');
  const text = draft.value;
  const adding = useMutation({
    mutationFn: () => addNote(project, task, text),
    onSuccess: async () => {
      draft.clear();
      await queries.invalidateQueries({ queryKey: notesQuery(project, task).queryKey });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() !== '') adding.mutate();
  };
  return (
    <Stack>
      <Loaded query={notes}>
        {({ results }) =>
          results.length === 0 ? (
            <Text c="dimmed">{strings.noNotes}</Text>
          ) : (
            <Stack gap="sm">
              {results.map((note) => (
                <article key={note.id}>
                  <Text size="sm" c="dimmed">
                    {nameOf(note.updater)} · <Time at={note.created} />
                  </Text>
                  <Text className="note-text">{note.text}</Text>
                </article>
              ))}
            </Stack>
          )
        }
      </Loaded>
      {may && (
        <form onSubmit={submit}>
          <Stack gap="xs">
            <DraftField label={strings.newNote} minRows={3} draft={draft} />
            {adding.error && <Failure error={adding.error} />}
            <Group>
              <Button type="submit" variant="default" disabled={text.trim() === ''} loading={adding.isPending}>
                {strings.addNote}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Stack>
  );
}
