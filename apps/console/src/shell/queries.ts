import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/client.ts';

const MAX_RETRIES = 2;

/** The cache of what the API returned. Errors that the API explains are not retried. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) =>
        failures < MAX_RETRIES && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
    },
  },
});
