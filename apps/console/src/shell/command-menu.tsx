import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useState } from 'react';
import { searchQuery } from '../api/search.ts';
import { Modal, Text, TextInput, useDebouncedValue } from '../components/controls.ts';
import { Failure } from '../components/states.tsx';
import { strings } from '../strings.ts';

const PAUSE_MILLISECONDS = 150;

type Kind = keyof typeof strings.kinds;

/** Kinds of items that have a page. */
const isKind = (kind: string): kind is Kind => Object.hasOwn(strings.kinds, kind);

/** Finds and opens anything that the user may see. */
export function CommandMenu({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={strings.searchEverything}
      size="lg"
      yOffset="8vh"
      keepMounted={false}
    >
      <Search onClose={onClose} />
    </Modal>
  );
}

function Search({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [place, setPlace] = useState(0);
  const [q] = useDebouncedValue(typed, PAUSE_MILLISECONDS);
  const { data, error } = useQuery(searchQuery(q));
  const found = q.trim().length > 1 ? (data?.results ?? []).filter(({ kind }) => isKind(kind)) : [];

  const open = (url: string | undefined): void => {
    if (url === undefined) return;
    onClose();
    void navigate({ to: url });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const next = Math.max(0, Math.min(found.length - 1, place + step));
      setPlace(next);
      document.getElementById(`found-${next}`)?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter') open(found[place]?.url);
  };
  return (
    <div>
      <TextInput
        data-autofocus
        role="combobox"
        aria-expanded={found.length > 0}
        aria-controls="found"
        aria-activedescendant={found.length > 0 ? `found-${place}` : undefined}
        aria-label={strings.searchEverything}
        placeholder={strings.searchEverything}
        value={typed}
        onKeyDown={onKeyDown}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setPlace(0);
        }}
      />
      {error && <Failure error={error} />}
      <div className="found" id="found" role="listbox" aria-label={strings.searchEverything} tabIndex={-1}>
        {found.map(({ kind, id, title, url }, index) => (
          // The text field keeps the focus, and its keys choose an option.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
          <div
            key={`${kind} ${id}`}
            id={`found-${index}`}
            className="found-item"
            role="option"
            tabIndex={-1}
            aria-selected={index === place}
            onClick={() => open(url)}
          >
            <span className="row-title">{title}</span>
            <span className="row-side">{isKind(kind) && strings.kinds[kind]}</span>
          </div>
        ))}
      </div>
      <Text c="dimmed" size="sm" pt="sm" role="status">
        {data && q.trim().length > 1 && found.length === 0 ? strings.searchNothing(q) : strings.searchHint}
      </Text>
    </div>
  );
}
