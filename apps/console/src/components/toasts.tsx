import { Notification } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { strings } from '../strings.ts';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly isError: boolean;
}

const SHOWN_MILLISECONDS = 6000;

let toasts: readonly Toast[] = [];
let last = 0;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

const close = (id: number): void => set(toasts.filter((toast) => toast.id !== id));

/** Shows a message for some seconds; an error until someone closes it. */
export function toast(text: string, { isError = false } = {}): void {
  last += 1;
  const id = last;
  set([...toasts, { id, text, isError }]);
  if (!isError) setTimeout(() => close(id), SHOWN_MILLISECONDS);
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text, isError }) => (
        <Notification
          key={id}
          color={isError ? 'red' : 'green'}
          withBorder
          onClose={() => close(id)}
          closeButtonProps={{ 'aria-label': strings.close }}
        >
          {text}
        </Notification>
      ))}
    </div>
  );
}
