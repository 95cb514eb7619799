import { useQuery, type UseQueryOptions } from '@tanstack/react-query';
import type { ListFile } from '../components/download-csv.tsx';

/** A list for a page, which can also be saved as a file. */
export interface List<Data> extends ListFile {
  readonly data: Data | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

export function useList<Data>(list: UseQueryOptions<Data> & ListFile): List<Data> {
  const { data, error, refetch } = useQuery(list);
  return { data, error, refetch, readFile: list.readFile };
}
