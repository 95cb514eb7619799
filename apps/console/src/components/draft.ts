import { useEffect, useState } from 'react';

const PREFIX = 'merlon.draft.';
const OWNER = 'merlon.draft-owner';

/** What was typed under a name and not saved. */
export function readDraft(name: string): unknown {
  try {
    const text = sessionStorage.getItem(PREFIX + name);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined; // of an earlier version
  }
}

export const hasDraft = (name: string): boolean => readDraft(name) !== undefined;

export const forgetDraft = (name: string): void => sessionStorage.removeItem(PREFIX + name);

export function keepDraft(name: string, value: unknown): void {
  try {
    sessionStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    forgetDraft(name); // it is too large to keep
  }
}

let isComingBack = false;

/** The page is left for one that leads back to it, such as an identity provider: drafts are then shown again. */
export function leaveToComeBack(): void {
  isComingBack = true;
  // Someone can stop the navigation, or come back to a page that the browser has kept.
  addEventListener('focus', () => (isComingBack = false), { once: true });
  addEventListener('pageshow', () => (isComingBack = false), { once: true });
}

/** Whether nothing that is kept is lost when the page is left now. */
export const keepsDrafts = (): boolean => isComingBack;

/** Drafts belong to one user: those of another one are removed before the page shows any. */
export function useDraftsOf(user: number): void {
  useState(() => {
    if (sessionStorage.getItem(OWNER) === String(user)) return;
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
    sessionStorage.setItem(OWNER, String(user));
  });
}

export interface Draft<Value> {
  readonly value: Value;
  /** Whether it was typed before the page was loaded, or opened, again. */
  readonly isRestored: boolean;
  readonly set: (next: (before: Value) => Value) => void;
  /** Drops it, for example because it was saved. */
  readonly clear: () => void;
}

/** What someone types. It is kept in this tab until it is saved, also if the page is loaded again. */
export function useDraft<Value>(name: string, empty: Value): Draft<Value> {
  const load = () => ({ name, value: (readDraft(name) as Value | undefined) ?? empty, isRestored: hasDraft(name) });
  const [state, setState] = useState(load);
  if (state.name !== name) setState(load());
  const { value, isRestored } = state;
  const isEmpty = JSON.stringify(value) === JSON.stringify(empty);
  useEffect(() => {
    if (isEmpty) forgetDraft(state.name);
    else keepDraft(state.name, value);
  }, [state.name, value, isEmpty]);
  return {
    value,
    isRestored: isRestored && !isEmpty,
    set: (next) => setState((before) => ({ ...before, value: next(before.value) })),
    clear: () => {
      forgetDraft(name); // at once: the page may be left before it is shown again
      setState({ name, value: empty, isRestored: false });
    },
  };
}
