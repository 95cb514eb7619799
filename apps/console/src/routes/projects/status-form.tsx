import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Countermeasure, Status } from '../../api/countermeasures.ts';
import { projectQuery } from '../../api/projects.ts';
import { Alert, Button, Group, SegmentedControl, Stack, Text, Textarea } from '../../components/controls.ts';
import { useDraft } from '../../components/draft.ts';
import { nameOf, StatusBadge } from '../../components/formats.tsx';
import { strings } from '../../strings.ts';
import { useStatusChange } from './status-change.ts';

const CHOICES = (['TS2', 'TS1', 'TS3'] as const).map((value) => ({ value, label: strings.statuses[value] }));

/** Changes the status, with a reason. If someone else changed it in the meantime, shows both versions. */
export function StatusForm({
  project,
  item,
  etag,
}: {
  readonly project: number;
  readonly item: Countermeasure;
  readonly etag: string;
}) {
  const may = useQuery(projectQuery(project)).data?.permissions?.includes('status') ?? false;
  // With the tag of what was seen then: the item may be loaded again while someone types a reason.
  const [chosen, setChosen] = useState<{ readonly status: Status; readonly etag: string }>();
  const [note, setNote] = useDraft(`status.${project}.${item.task_id}`);
  const { change, isSaving, conflict, forgetConflict } = useStatusChange(project, item.task_id, () => {
    setChosen(undefined);
    setNote('');
  });
  if (!may) return null;
  const current = item.status as Status;
  const status = chosen?.status ?? current;
  const save = (event?: FormEvent): void => {
    event?.preventDefault();
    change({ status, note: note.trim() }, conflict ? etag : (chosen?.etag ?? etag));
  };
  return (
    <form onSubmit={save} aria-label={strings.changeStatus}>
      <Stack gap="xs">
        <SegmentedControl
          size="sm"
          aria-label={strings.statusLabel}
          data={CHOICES}
          value={status}
          onChange={(value) => setChosen({ status: value, etag: chosen?.etag ?? etag })}
        />
        {status !== current && (
          <>
            <Textarea
              label={strings.reason}
              description={strings.reasonHint}
              autosize
              minRows={2}
              value={note}
              onChange={({ currentTarget }) => setNote(currentTarget.value)}
            />
            {conflict ? (
              <Alert color="yellow" variant="outline" title={strings.conflict} role="alert">
                <Stack gap="xs">
                  <Text size="sm">{strings.conflictBy(nameOf(conflict.updater))}</Text>
                  <Group gap="xs">
                    {strings.conflictNow} <StatusBadge status={conflict.status as Status} />
                    {strings.conflictYours} <StatusBadge status={status} />
                  </Group>
                  <Group gap="xs">
                    <Button type="submit" size="xs" loading={isSaving}>
                      {strings.conflictApply}
                    </Button>
                    <Button
                      size="xs"
                      variant="default"
                      onClick={() => {
                        forgetConflict();
                        setChosen(undefined);
                      }}
                    >
                      {strings.conflictKeep}
                    </Button>
                  </Group>
                </Stack>
              </Alert>
            ) : (
              <Group gap="xs">
                <Button type="submit" loading={isSaving}>
                  {strings.save}
                </Button>
                <Button variant="default" onClick={() => setChosen(undefined)}>
                  {strings.cancel}
                </Button>
              </Group>
            )}
          </>
        )}
      </Stack>
    </form>
  );
}
