import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../components/states.tsx';
import { toast } from '../components/toasts.tsx';
import { strings } from '../strings.ts';

/** A change that is made by a button: what it concerns is loaded again, and an error is shown. */
export function useChange<Input, Result>(change: (input: Input) => Promise<Result>, concerned: readonly string[]) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => Promise.all(concerned.map((name) => queries.invalidateQueries({ queryKey: [name] }))),
    onError: (error) => toast(messageOf(error), { isError: true }),
  });
}

/** Says that a form was saved, and loads what it concerns again. */
export function useSaved(concerned: readonly string[], text: string = strings.saved): () => void {
  const queries = useQueryClient();
  return () => {
    toast(text);
    for (const name of concerned) void queries.invalidateQueries({ queryKey: [name] });
  };
}
