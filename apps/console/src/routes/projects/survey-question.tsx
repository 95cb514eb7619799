import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { DataOf } from '../../api/client.ts';
import {
  answerNone,
  chooseAnswer,
  type commentsQuery,
  type Draft,
  draftQuery,
  type Question,
} from '../../api/survey.ts';
import { Button, Checkbox, Radio, Stack, Text } from '../../components/controls.ts';
import { hasDraft } from '../../components/draft.ts';
import { Tag } from '../../components/formats.tsx';
import { toast } from '../../components/toasts.tsx';
import { strings } from '../../strings.ts';
import { commentDraft, SurveyComments } from './survey-comments.tsx';
import { messageOf } from '../../components/states.tsx';

type Answer = Draft['answers'][number];
/** What someone says: about one answer, or that none of a question's answers applies. */
type Said = { readonly id: string; readonly selected: boolean } | { readonly question: string; readonly none: boolean };
type Comments = DataOf<typeof commentsQuery>['results'];

/** Changes an answer at once. The service returns the draft, in which others may have changed. */
function useAnswer(project: number) {
  const queries = useQueryClient();
  const { queryKey } = draftQuery(project);
  return useMutation({
    mutationFn: (said: Said) =>
      'id' in said ? chooseAnswer(project, said.id, said.selected) : answerNone(project, said.question, said.none),
    scope: { id: `survey-${project}` }, // sequentially: each response contains the complete draft
    onMutate: async (said) => {
      await queries.cancelQueries({ queryKey });
      if ('none' in said) return;
      const { id, selected } = said;
      queries.setQueryData(queryKey, (draft) => {
        const question = draft?.answers.find((answer) => answer.id === id)?.question;
        const isSingle = draft?.sections
          ?.flatMap(({ questions }) => questions)
          .some((one) => one.id === question && one.format === 'SC');
        return (
          draft && {
            ...draft,
            dirty: true,
            answers: draft.answers.map((answer) => {
              if (answer.id === id)
                return { ...answer, selected, state: selected ? ('chosen' as const) : ('rejected' as const) };
              return isSingle && selected && answer.question === question ? { ...answer, selected: false } : answer;
            }),
          }
        );
      });
    },
    onSuccess: ({ answers, questions, dirty, survey_complete: isComplete }) => {
      // Answers that are still on their way would be undone for a moment.
      if (queries.isMutating({ mutationKey: ['answer', project] }) > 1) return;
      queries.setQueryData(
        queryKey,
        (draft) => draft && { ...draft, answers, questions, dirty, survey_complete: isComplete },
      );
    },
    onError: (error) => {
      toast(strings.answerUndone(messageOf(error)), { isError: true });
      return queries.invalidateQueries({ queryKey });
    },
    mutationKey: ['answer', project],
  });
}

/** A question with its answers and comments. */
export function SurveyQuestion({
  project,
  question,
  answers,
  isNone,
  mayAnswer,
  mayComment,
  comments,
}: {
  readonly project: number;
  readonly question: Question;
  readonly answers: ReadonlyMap<string, Answer>;
  /** Whether it is answered with "None of these". */
  readonly isNone: boolean;
  readonly mayAnswer: boolean;
  readonly mayComment: boolean;
  readonly comments: Comments;
}) {
  const [areCommentsOpen, setCommentsOpen] = useState(() => hasDraft(commentDraft(project, question.id)));
  const answering = useAnswer(project);
  const choose = (id: string, selected: boolean): void => answering.mutate({ id, selected });
  const suggestions = question.answers.filter(({ id }) => {
    const { selected, state } = answers.get(id) ?? {};
    return selected && state === 'unanswered';
  });
  const suggested = new Set(suggestions.map(({ id }) => id));
  const labelOf = ({ id, text }: { readonly id: string; readonly text: string }) =>
    suggested.has(id) ? (
      <span className="suggested">
        {text} <Tag>{strings.suggested}</Tag>
      </span>
    ) : (
      text
    );
  const chosen = question.answers.find(({ id }) => answers.get(id)?.selected)?.id ?? null;
  return (
    <div className="question" id={question.id}>
      {question.format === 'SC' ? (
        <Radio.Group
          label={question.text}
          description={question.description || strings.chooseOne}
          value={chosen}
          onChange={(id) => choose(id, true)}
        >
          <Stack gap="xs" pt="xs">
            {question.answers.map((answer) => (
              <Radio key={answer.id} value={answer.id} label={labelOf(answer)} disabled={!mayAnswer} />
            ))}
          </Stack>
        </Radio.Group>
      ) : (
        <>
          <Checkbox.Group
            label={question.text}
            description={question.description || strings.chooseAny}
            value={question.answers.filter(({ id }) => answers.get(id)?.selected).map(({ id }) => id)}
          >
            <Stack gap="xs" pt="xs">
              {question.answers.map((answer) => (
                <Checkbox
                  key={answer.id}
                  value={answer.id}
                  label={labelOf(answer)}
                  disabled={!mayAnswer}
                  onChange={({ currentTarget }) => choose(answer.id, currentTarget.checked)}
                />
              ))}
            </Stack>
          </Checkbox.Group>
          <Checkbox
            mt="xs"
            label={strings.noneOfThese}
            checked={isNone}
            disabled={!mayAnswer}
            onChange={({ currentTarget }) => answering.mutate({ question: question.id, none: currentTarget.checked })}
          />
        </>
      )}
      {suggestions.length > 0 && mayAnswer && (
        <Button
          size="compact-sm"
          variant="light"
          mt="xs"
          mr="xs"
          onClick={() => suggestions.forEach(({ id }) => choose(id, true))}
        >
          {strings.confirmSuggestions(suggestions.length)}
          <Text className="only-read" component="span">
            : {question.text}
          </Text>
        </Button>
      )}
      {(mayComment || comments.length > 0) && (
        <Button
          size="compact-sm"
          variant="subtle"
          mt="xs"
          aria-expanded={areCommentsOpen}
          onClick={() => setCommentsOpen(!areCommentsOpen)}
        >
          {strings.comments(comments.length)}
          <Text className="only-read" component="span">
            : {question.text}
          </Text>
        </Button>
      )}
      {areCommentsOpen && (
        <SurveyComments project={project} question={question.id} comments={comments} mayComment={mayComment} />
      )}
    </div>
  );
}
