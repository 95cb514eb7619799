import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { addComment, commentsQuery } from '../../api/survey.ts';
import { Button, Group, Stack, Text } from '../../components/controls.ts';
import { useDraft } from '../../components/draft.ts';
import { DraftField } from '../../components/draft-field.tsx';
import { nameOf, type Person, Time } from '../../components/formats.tsx';
import { Failure } from '../../components/states.tsx';
import { strings } from '../../strings.ts';

interface Comment {
  readonly id: number;
  readonly text: string;
  readonly author: Person | null;
  readonly created: string;
}

/** The name of the draft of a comment. */
export const commentDraft = (project: number, question: string): string => `comment.${project}.${question}`;

/** The comments on a question, and a field for another one. */
export function SurveyComments({
  project,
  question,
  comments,
  mayComment,
}: {
  readonly project: number;
  readonly question: string;
  readonly comments: readonly Comment[];
  readonly mayComment: boolean;
}) {
  const queries = useQueryClient();
  const draft = useDraft(commentDraft(project, question), '');
  const text = draft.value;
  const adding = useMutation({
    mutationFn: () => addComment(project, question, text),
    onSuccess: () => {
      draft.clear();
      return queries.invalidateQueries({ queryKey: commentsQuery(project).queryKey });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() !== '') adding.mutate();
  };
  return (
    <Stack gap="sm" pt="xs">
      {comments.map((comment) => (
        <article key={comment.id}>
          <Text size="sm" c="dimmed">
            {nameOf(comment.author)} · <Time at={comment.created} />
          </Text>
          <Text className="note-text">{comment.text}</Text>
        </article>
      ))}
      {mayComment && (
        <form onSubmit={submit}>
          <Stack gap="xs">
            <DraftField label={strings.newComment} minRows={2} draft={draft} />
            {adding.error && <Failure error={adding.error} />}
            <Group>
              <Button type="submit" variant="default" disabled={text.trim() === ''} loading={adding.isPending}>
                {strings.addComment}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Stack>
  );
}
