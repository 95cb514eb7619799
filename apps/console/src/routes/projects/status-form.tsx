import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import type { Countermeasure, Status } from '../../api/countermeasures.ts';
import { projectQuery } from '../../api/projects.ts';
import { Alert, Button, Group, SegmentedControl, Stack, Text, Textarea } from '../../components/controls.ts';
import { useDraft } from '../../components/draft.ts';
import { DraftRestored } from '../../components/draft-field.tsx';
import { nameOf, StatusBadge } from '../../components/formats.tsx';
import { strings } from '../../strings.ts';
import { useStatusChange } from './status-change.ts';

const CHOICES = (['TS2', 'TS1', 'TS3'] as const).map((value) => ({ value, label: strings.statuses[value] }));

/** What someone is about to save, with the tag of what they saw then: the item may be loaded again meanwhile. */
interface Chosen {
  readonly status: Status;
  readonly etag: string;
  readonly note: string;
}

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
  const draft = useDraft<Chosen | null>(`status.${project}.${item.task_id}`, null);
  const { change, isSaving, conflict, forgetConflict } = useStatusChange(project, item.task_id, draft.clear);
  if (!may) return null;
  const current = item.status as Status;
  const { status, note, ...seen } = draft.value ?? { status: current, note: '', etag };
  const set = (next: Partial<Chosen>): void => draft.set(() => ({ status, note, ...seen, ...next }));
  const cancel = (): void => {
    forgetConflict();
    draft.clear();
  };
  const save = (event?: FormEvent): void => {
    event?.preventDefault();
    change({ status, note: note.trim() }, conflict ? etag : seen.etag);
  };
  return (
    <form onSubmit={save} aria-label={strings.changeStatus}>
      <Stack gap="xs">
        <SegmentedControl
          size="sm"
          aria-label={strings.statusLabel}
          data={CHOICES}
          value={status}
          onChange={(value) => (value === current && note === '' ? draft.clear() : set({ status: value }))}
        />
        {(status !== current || note !== '') && (
          <>
            <Textarea
              label={strings.reason}
              description={strings.reasonHint}
              autosize
              minRows={2}
              value={note}
              onChange={({ currentTarget }) => set({ note: currentTarget.value })}
            />
            {draft.isRestored && <DraftRestored onDiscard={cancel} />}
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
                    <Button size="xs" variant="default" onClick={cancel}>
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
                <Button variant="default" onClick={cancel}>
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
