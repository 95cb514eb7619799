import { useTestApiWithWorker } from '#test/support/api-with-worker.js';
import { type ImportJob, waitForImport } from '#test/support/imports.js';

/** Starts an API and a worker that runs its imports. `failing` waits for a failed import; returns its errors. */
export function useImports() {
  const test = useTestApiWithWorker();

  const failing = async (job: ImportJob, api = test.api): Promise<ImportJob['errors']> => {
    const ended = await waitForImport(api, job);
    expect(ended).toMatchObject({ status: 'fail', can_retry: true, completed: expect.any(String) });
    return ended.errors;
  };

  return { test, failing };
}
