/** What is known about the end of the session while pages are open. */
let resume: (() => void) | undefined;
let untilResumed: Promise<void> | undefined;
const listeners = new Set<() => void>();

const notify = (): void => {
  for (const listener of listeners) listener();
};

/** Whether a request found that the session has ended, and no one has signed in since. */
export const hasSessionEnded = (): boolean => untilResumed !== undefined;

export function subscribeToSessionEnd(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Asks for a sign-in, once for any number of requests, and waits for it. */
export function untilSignedIn(): Promise<void> {
  if (untilResumed === undefined) {
    untilResumed = new Promise((resolve) => {
      resume = resolve;
    });
    notify();
  }
  return untilResumed;
}

/** Lets the requests continue that wait for a sign-in. */
export function continueAfterSignIn(): void {
  untilResumed = undefined;
  resume?.();
  notify();
}
