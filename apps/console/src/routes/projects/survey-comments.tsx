import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { addComment, commentsQuery } from '../../api/survey.ts';
import { Button, Group, Stack, Text, Textarea } from '../../components/controls.ts';
import { useDraft } from '../../components/draft.ts';
import { nameOf, type Person, Time } from '../../components/formats.tsx';
import { Failure } from '../../components/states.tsx';
import { strings } from '../../strings.ts';

interface Comment {
  readonly id: number;
  readonly text: string;
  readonly author: Person | null;
  readonly created: string;
}

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
  const [text, setText] = useDraft(`comment.${project}.${question}`);
  const adding = useMutation({
    mutationFn: () => addComment(project, question, text),
    onSuccess: () => {
      setText('');
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
            <Textarea
              label={strings.newComment}
              autosize
              minRows={2}
              value={text}
              onChange={({ currentTarget }) => setText(currentTarget.value)}
            />
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
