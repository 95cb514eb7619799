import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { surveyActivitiesQuery } from '../../api/activities.ts';
import { commitDraft, discardDraft, type Draft, draftQuery } from '../../api/survey.ts';
import { Button, Group, Modal, Stack, Text } from '../../components/controls.ts';
import { toast } from '../../components/toasts.tsx';
import { strings } from '../../strings.ts';
import { ActivityStream } from '../activity-list.tsx';
import { messageOf } from '../../components/states.tsx';

/** Who saved the survey, newest first. */
function SurveyHistory({ project }: { readonly project: number }) {
  const stream = useInfiniteQuery(surveyActivitiesQuery(project));
  return <ActivityStream label={strings.surveyHistory} stream={stream} none={strings.noSurveyHistory} />;
}

/** What the draft changes, and the buttons that commit or discard it. */
export function SurveyBar({
  project,
  draft,
  answered,
  total,
  mayAnswer,
}: {
  readonly project: number;
  readonly draft: Draft;
  readonly answered: number;
  readonly total: number;
  readonly mayAnswer: boolean;
}) {
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const [isHistoryOpen, setHistoryOpen] = useState(false);
  const finish = (message: string) => async (): Promise<void> => {
    setAsking(false);
    toast(message);
    await Promise.all([
      queries.invalidateQueries({ queryKey: draftQuery(project).queryKey }),
      queries.resetQueries({ queryKey: ['survey-preview', project] }),
      queries.invalidateQueries({ queryKey: ['project', project] }),
      queries.invalidateQueries({ queryKey: ['projects'] }),
      queries.invalidateQueries({ queryKey: ['countermeasures', project] }),
    ]);
  };
  const onError = (error: Error): void => toast(messageOf(error), { isError: true });
  const committing = useMutation({
    mutationFn: () => commitDraft(project),
    onSuccess: finish(strings.committed),
    onError,
  });
  const discarding = useMutation({
    mutationFn: () => discardDraft(project),
    onSuccess: finish(strings.discarded),
    onError,
  });
  return (
    <div className="bar">
      <Text size="sm" role="status">
        {strings.questionsAnswered(answered, total)}. {draft.dirty ? strings.draftChanged : strings.draftSame}
      </Text>
      <Button variant="subtle" size="compact-sm" onClick={() => setHistoryOpen(true)}>
        {strings.surveyHistory}
      </Button>
      {mayAnswer && (
        <Group gap="xs" ml="auto">
          {draft.dirty && (
            <Button variant="default" onClick={() => setAsking(true)}>
              {strings.discard}
            </Button>
          )}
          <Button onClick={() => committing.mutate()} loading={committing.isPending} title={strings.commitHint}>
            {strings.commit}
          </Button>
        </Group>
      )}
      <Modal
        opened={isHistoryOpen}
        onClose={() => setHistoryOpen(false)}
        title={strings.surveyHistory}
        closeButtonProps={{ 'aria-label': strings.close }}
        centered
      >
        <SurveyHistory project={project} />
      </Modal>
      <Modal opened={isAsking} onClose={() => setAsking(false)} title={strings.discard} centered>
        <Stack>
          <Text>{strings.discardAsk}</Text>
          <Group>
            <Button color="red" onClick={() => discarding.mutate()} loading={discarding.isPending}>
              {strings.discard}
            </Button>
            <Button variant="default" onClick={() => setAsking(false)}>
              {strings.cancel}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </div>
  );
}
