import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MILLISECONDS = 50;

/**
 * Polls a process on this machine until it is ready.
 *
 * @param options `url` of its `/readyz`; `timeoutSeconds`; `signal`, which stops waiting
 * @returns true when it responded with 200; false after the timeout or the signal
 */
export async function waitUntilReady(options: {
  url: string;
  timeoutSeconds: number;
  signal: AbortSignal;
}): Promise<boolean> {
  const deadline = Date.now() + options.timeoutSeconds * 1000;
  while (Date.now() < deadline && !options.signal.aborted) {
    const ready = await fetch(options.url, {
      signal: AbortSignal.any([options.signal, AbortSignal.timeout(5000)]),
    }).then(
      (response) => response.ok,
      () => false, // it does not listen yet
    );
    if (ready) return true;
    await sleep(POLL_MILLISECONDS);
  }
  return false;
}

/**
 * Asks a ready process which of its parts are off.
 *
 * @param url of its `/readyz`
 * @returns what to do about each of them; empty if there is none, or if the process has just ended
 */
export async function readRemedies(url: string): Promise<Readonly<Record<string, string>>> {
  const response = await fetch(`${url}?verbose`, { signal: AbortSignal.timeout(5000) }).catch(() => undefined);
  if (!response?.ok) return {};
  return ((await response.json()) as { remedies: Readonly<Record<string, string>> }).remedies;
}

/**
 * Asks a ready process whether its first user is still to be created.
 *
 * @param url of its `/auth/session/`
 * @returns whether no one can sign in; false if the process has just ended
 */
export async function readSetupRequired(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(5000) }).catch(() => undefined);
  if (!response?.ok) return false;
  return ((await response.json()) as { setup_required: boolean }).setup_required;
}

/**
 * Checks that a port can be listened on, and gives a process that is just ending some time to release it.
 *
 * @param options `host` and `port` to try; `timeoutSeconds` to retry while it is in use
 * @returns undefined if it is free, otherwise the error code: `EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`, `ENOTFOUND`
 */
export async function portError(options: {
  host: string;
  port: number;
  timeoutSeconds: number;
}): Promise<string | undefined> {
  const deadline = Date.now() + options.timeoutSeconds * 1000;
  for (;;) {
    const code = await tryToListen(options.host, options.port);
    if (code !== 'EADDRINUSE' || Date.now() > deadline) return code;
    await sleep(POLL_MILLISECONDS);
  }
}

function tryToListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    probe.listen(port, host, () => probe.close(() => resolve(undefined)));
  });
}
