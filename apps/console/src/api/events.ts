import { basePath } from './client.ts';
import { sessionEnd } from './pauses.ts';

/** What has changed: kinds of items, of one project or of none. */
export interface Change {
  readonly kinds: readonly string[];
  readonly project: number | null;
}

const FIRST_WAIT_MILLISECONDS = 5000;
const MAX_WAIT_MILLISECONDS = 160_000;

/**
 * Listens to what changes, in one connection, while someone looks at the page: a browser has few connections to a
 * service. If the connection is cut, or its time is over, the browser continues it and misses nothing.
 *
 * @param onStart a connection has begun that does not continue another one: what happened before is not reported
 * @returns a function that ends this
 */
export function listenToChanges(onChange: (change: Change) => void, onStart: () => void): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wait = FIRST_WAIT_MILLISECONDS;

  const stop = (): void => {
    clearTimeout(timer);
    source?.close();
    source = undefined;
  };
  const start = (): void => {
    const opened = new EventSource(`${basePath}api/v2/events/`);
    source = opened;
    opened.addEventListener(
      'open',
      () => {
        wait = FIRST_WAIT_MILLISECONDS;
        onStart();
      },
      { once: true },
    );
    opened.addEventListener('invalidate', ({ data }: MessageEvent<string>) => onChange(JSON.parse(data) as Change));
    opened.addEventListener('job', ({ data }: MessageEvent<string>) => {
      const { kind } = JSON.parse(data) as { readonly kind: string };
      onChange({ kinds: [kind], project: null });
    });
    opened.addEventListener('error', () => {
      if (opened.readyState !== EventSource.CLOSED) return; // the browser tries again
      stop();
      timer = setTimeout(follow, wait);
      wait = Math.min(2 * wait, MAX_WAIT_MILLISECONDS);
    });
  };
  function follow(): void {
    if (document.hidden || sessionEnd.isOn()) stop();
    else if (!source) start();
  }
  document.addEventListener('visibilitychange', follow);
  const unsubscribe = sessionEnd.subscribe(follow);
  follow();
  return () => {
    document.removeEventListener('visibilitychange', follow);
    unsubscribe();
    stop();
  };
}
