/** Requests that wait until the person has done something, and whoever shows what they have to do. */
export interface Pause {
  /** Begins to wait, once for any number of requests. Returns whether to send the request again. */
  readonly wait: () => Promise<boolean>;
  /** Lets the requests continue. */
  readonly end: (sendAgain: boolean) => void;
  readonly isOn: () => boolean;
  readonly subscribe: (listener: () => void) => () => void;
}

function newPause(): Pause {
  let resume: ((sendAgain: boolean) => void) | undefined;
  let waiting: Promise<boolean> | undefined;
  const listeners = new Set<() => void>();
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    wait: () => {
      if (waiting === undefined) {
        waiting = new Promise((resolve) => {
          resume = resolve;
        });
        notify();
      }
      return waiting;
    },
    end: (sendAgain) => {
      waiting = undefined;
      resume?.(sendAgain);
      notify();
    },
    isOn: () => waiting !== undefined,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The session has ended, and the person has to sign in. */
export const sessionEnd = newPause();

/** The person has to confirm who they are. */
export const confirmation = newPause();
