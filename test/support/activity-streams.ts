import { useTestApi } from '#test/support/api.js';
import { bodyOf } from '#test/support/client.js';
import type { Stream } from '#test/support/activities.js';

export const STREAM_PATH = '/activity-stream/';

/** A test API and the responses of its organization's activity stream. */
export function useActivityStream() {
  const test = useTestApi();

  const streamOf = (query?: Record<string, string | number>, path = STREAM_PATH): Promise<Stream> =>
    bodyOf(test.api.get<Stream>(path, query));

  return { test, streamOf };
}
