import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type BulkChanges, changeAll, MAX_BULK, type Status } from '../../api/countermeasures.ts';
import { projectQuery } from '../../api/projects.ts';
import { Alert, Button, Group, Select, TagsInput, Text, TextInput } from '../../components/controls.ts';
import { choicesOf } from '../../components/filters.tsx';
import { menuOf, personOption } from '../../components/options.tsx';
import { messageOf } from '../../components/states.tsx';
import { toast } from '../../components/toasts.tsx';
import { strings } from '../../strings.ts';

const STATUSES = choicesOf(strings.statuses);

interface Failed {
  readonly id: string;
  readonly message: string;
}

const failedOf = (errors: readonly { readonly id: string; readonly errors: Record<string, unknown> }[]): Failed[] =>
  errors.map(({ id, errors: fields }) => ({ id, message: Object.values(fields).flat().join(' ') }));

/** Changes all selected countermeasures in one step. Those that can't be changed stay selected, with the reasons. */
export function BulkBar({
  project,
  selected,
  onSelect,
}: {
  readonly project: number;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (keys: ReadonlySet<string>) => void;
}) {
  const queries = useQueryClient();
  const { data: details } = useQuery(projectQuery(project));
  const [status, setStatus] = useState<string | null>(null);
  const [assignee, setAssignee] = useState<string | null>(null);
  const [tags, setTags] = useState<string[]>([]);
  const [note, setNote] = useState('');
  const [failed, setFailed] = useState<readonly Failed[]>([]);
  const changing = useMutation({
    mutationFn: (changes: BulkChanges) => changeAll(project, [...selected], changes),
    onSuccess: ({ changed, unchanged, errors }) => {
      toast(strings.bulkDone(changed, unchanged));
      const rest = failedOf(errors);
      setFailed(rest);
      setNote('');
      setTags([]);
      onSelect(new Set(rest.map(({ id }) => id.replace(/^\d+-/, ''))));
    },
    onError: (error) => toast(messageOf(error), { isError: true }),
    onSettled: () =>
      Promise.all(
        ['countermeasures', 'countermeasure', 'my-countermeasures', 'notes', 'project', 'projects', 'home'].map(
          (name) => queries.invalidateQueries({ queryKey: [name] }),
        ),
      ),
  });
  const save = (event: FormEvent): void => {
    event.preventDefault();
    changing.mutate({
      ...(status !== null && { status: status as Status }),
      ...(assignee !== null && { assigned_to: [{ email: assignee }] }),
      ...(tags.length > 0 && { tags }),
      ...(note.trim() !== '' && { note: note.trim() }),
    });
  };
  const may = details?.permissions ?? [];
  const changesSomething = status !== null || assignee !== null || tags.length > 0 || note.trim() !== '';
  return (
    <form className="bar" aria-label={strings.changeSelected} onSubmit={save}>
      <Text size="sm" fw={600} role="status">
        {strings.selectedCount(selected.size)}
      </Text>
      <Select
        w={165}
        aria-label={strings.statusLabel}
        placeholder={strings.keepStatus}
        data={STATUSES}
        value={status}
        onChange={setStatus}
        clearable
        clearButtonProps={{ 'aria-label': strings.clear(strings.statusLabel) }}
      />
      {may.includes('tasks') && (
        <Select
          w={190}
          aria-label={strings.assignedTo}
          placeholder={strings.keepAssignee}
          {...menuOf((details?.users ?? []).map((user) => personOption(user, user.email)))}
          value={assignee}
          onChange={setAssignee}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': strings.clear(strings.assignedTo) }}
        />
      )}
      {may.includes('tasks') && (
        <TagsInput
          miw={170}
          aria-label={strings.newTags}
          placeholder={tags.length === 0 ? strings.keepTags : ''}
          value={tags}
          onChange={setTags}
          acceptValueOnBlur
        />
      )}
      <TextInput
        style={{ flex: '1 1 180px' }}
        aria-label={strings.noteForAll}
        placeholder={strings.noteForAll}
        maxLength={5000}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
      <Group gap="xs" ml="auto">
        <Button
          type="submit"
          loading={changing.isPending}
          disabled={!changesSomething || selected.size === 0 || selected.size > MAX_BULK}
        >
          {strings.changeCount(selected.size)}
        </Button>
        <Button
          variant="default"
          onClick={() => {
            setFailed([]);
            onSelect(new Set());
          }}
        >
          {strings.clearSelection}
        </Button>
      </Group>
      {failed.length > 0 && (
        <Alert color="red" variant="outline" role="alert" w="100%" title={strings.bulkFailed(failed.length)}>
          <ul className="plain-list bulk-errors">
            {failed.map(({ id, message }) => (
              <li key={id}>
                {id}: {message}
              </li>
            ))}
          </ul>
        </Alert>
      )}
    </form>
  );
}
