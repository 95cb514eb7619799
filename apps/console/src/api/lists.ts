import { queryOptions, type UseQueryOptions } from '@tanstack/react-query';
import { bodyOf, type FetchResult } from './client.ts';

/** What a request of a list has besides its parameters: a signal for a page, or what makes the response a file. */
interface ReadOptions {
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  readonly parseAs?: 'blob';
}

/** Requests a list. The names of what it refers to are needed in a file only: a page knows them. */
export type Read<Data> = (options: ReadOptions, isFile: boolean) => Promise<FetchResult<Data>>;

/** The list of a request as a CSV file: all rows, with the filters and the order of the request. */
export const fileOf = async (read: Read<unknown>): Promise<Blob> =>
  (await bodyOf(read({ headers: { Accept: 'text/csv' }, parseAs: 'blob' }, true))) as Blob;

type ListOptions<Data> = Pick<UseQueryOptions<Data>, 'queryKey' | 'placeholderData' | 'refetchInterval'> & {
  readonly read: Read<Data>;
};

/** A list for a page, which the same request returns as a file. */
export const listQuery = <Data>({ read, ...options }: ListOptions<Data>) => ({
  ...queryOptions({ ...options, queryFn: ({ signal }) => bodyOf(read({ signal }, false)) }),
  readFile: () => fileOf(read),
});
