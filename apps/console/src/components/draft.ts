import { useState } from 'react';

const keyOf = (name: string): string => `merlon.draft.${name}`;

/** Text that someone types. It is kept in this tab until it is saved, also if the page is reloaded. */
export function useDraft(name: string): readonly [string, (text: string) => void] {
  const [draft, setDraft] = useState({ name, text: sessionStorage.getItem(keyOf(name)) ?? '' });
  const text = draft.name === name ? draft.text : (sessionStorage.getItem(keyOf(name)) ?? '');
  const change = (next: string): void => {
    setDraft({ name, text: next });
    if (next === '') sessionStorage.removeItem(keyOf(name));
    else sessionStorage.setItem(keyOf(name), next);
  };
  return [text, change];
}
