import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../api/client.ts';
import {
  changeStatus,
  type Countermeasure,
  type CountermeasureList,
  countermeasureQuery,
  notesQuery,
  type StatusChange,
} from '../../api/countermeasures.ts';
import { projectQuery } from '../../api/projects.ts';
import { toast } from '../../components/toasts.tsx';
import { strings } from '../../strings.ts';
import { messageOf } from '../../components/states.tsx';

interface Attempt {
  readonly asked: StatusChange;
  readonly etag: string;
}

const LISTS = ['countermeasures', 'my-countermeasures'];

/** Changes a status at once in the lists, and undoes that visibly if the service rejects it. */
export function useStatusChange(project: number, task: string, onSaved: () => void) {
  const queries = useQueryClient();
  const [conflict, setConflict] = useState<Countermeasure>();
  const { queryKey } = countermeasureQuery(project, task);
  const isList = ({ queryKey: [name] }: { readonly queryKey: readonly unknown[] }): boolean =>
    LISTS.includes(String(name));

  const mutation = useMutation({
    mutationFn: ({ asked, etag }: Attempt) => changeStatus(project, task, asked, etag),
    onMutate: async ({ asked }: Attempt) => {
      await queries.cancelQueries({ predicate: isList });
      const before = queries.getQueriesData<CountermeasureList>({ predicate: isList });
      queries.setQueriesData<CountermeasureList>(
        { predicate: isList },
        (list) =>
          list && {
            ...list,
            results: list.results.map((row) =>
              row.id === `${project}-${task}` ? { ...row, status: asked.status } : row,
            ),
          },
      );
      return before;
    },
    onSuccess: (_changed, { asked }) => {
      setConflict(undefined);
      onSaved();
      toast(strings.statusSaved(strings.statuses[asked.status]));
    },
    onError: (error, _attempt, before) => {
      for (const [key, list] of before ?? []) queries.setQueryData(key, list);
      if (error instanceof ApiError && error.status === 412) setConflict(error.current as Countermeasure);
      else
        toast(strings.statusUndone(messageOf(error)), {
          isError: true,
        });
    },
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey }),
        queries.invalidateQueries({ predicate: isList }),
        queries.invalidateQueries({ queryKey: notesQuery(project, task).queryKey }),
        queries.invalidateQueries({ queryKey: projectQuery(project).queryKey }),
      ]),
  });
  return {
    change: (asked: StatusChange, etag: string): void => mutation.mutate({ asked, etag }),
    isSaving: mutation.isPending,
    conflict,
    forgetConflict: (): void => setConflict(undefined),
  };
}
