import { Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback, useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { strings } from '../strings.ts';
import { distinct, isLabelOf, menuOf, type Option, optionsWith } from './options.tsx';

export function Filters({ children }: { readonly children: ReactNode }) {
  return (
    <Group gap="xs" role="search" aria-label={strings.filters}>
      {children}
    </Group>
  );
}

const PAUSE_MILLISECONDS = 200;

/** A filter by text. It takes effect when someone stops typing. */
export function TextFilter({
  value,
  onChange,
  label = strings.filterByText,
}: {
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
  readonly label?: string;
}) {
  const [typed, setTyped] = useState(value ?? '');
  const [known, setKnown] = useState(value);
  if (known !== value) {
    // Someone followed a link, or went back.
    setKnown(value);
    if ((value ?? '') !== typed.trim()) setTyped(value ?? '');
  }
  const report = useDebouncedCallback((text: string) => onChange(text.trim() || undefined), PAUSE_MILLISECONDS);
  return (
    <TextInput
      w={{ base: '100%', xs: 230 }}
      leftSection={<IconSearch size={16} />}
      type="search"
      aria-label={label}
      placeholder={label}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        report(currentTarget.value);
      }}
    />
  );
}

/** Options of values that have a name each. */
export const choicesOf = (labels: Readonly<Record<string, string>>): Option[] =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

interface ChoiceFilterProps {
  readonly label: string;
  readonly options: readonly Option[];
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

interface SearchedOptions {
  /** The options are those that the service has found for a text. */
  readonly onSearch?: (text: string) => void;
  readonly noneFound?: string;
}

/** A filter by one of several values; the placeholder stands for all of them. */
export function ChoiceFilter({
  label,
  options,
  value,
  onChange,
  onSearch,
  noneFound,
}: ChoiceFilterProps & SearchedOptions) {
  // A link can name a value that no item has.
  const isKnown = onSearch !== undefined || value === undefined || options.some((option) => option.value === value);
  return (
    <Select
      w={{ base: '48%', xs: 165 }}
      aria-label={label}
      placeholder={label}
      {...menuOf(isKnown ? options : [...options, { value, label: value }])}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      clearable
      clearButtonProps={{ 'aria-label': strings.clear(label) }}
      searchable={onSearch !== undefined || options.length > 12}
      {...(onSearch && { onSearchChange: onSearch, filter: ({ options: found }) => found })}
      nothingFoundMessage={noneFound}
      comboboxProps={{ shadow: 'md', width: 'max-content', position: 'bottom-start' }}
      maxDropdownHeight={320}
    />
  );
}

/** Asks the service for the values of a filter in which a text occurs. */
export interface OptionSearch {
  readonly queryKey: QueryKey;
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<readonly Option[]>;
}

/** A filter by one of many values: `options` are the most frequent ones, and typing finds any. */
export function SearchedFilter({
  options,
  value,
  find,
  ...others
}: ChoiceFilterProps & { readonly find: (text: string) => OptionSearch }) {
  const [typed, setTyped] = useState('');
  const isChosen = (option: Option): boolean => option.value === value;
  const frequent = options.find(isChosen);
  // Searching for a value finds its label, for example when a link names the value. First, the options are loaded.
  const isRare = value !== undefined && options.length > 0 && !frequent;
  const named = useQuery({ ...find(value ?? ''), enabled: isRare });
  const chosen = value === undefined ? undefined : (frequent ?? named.data?.find(isChosen) ?? { value, label: value });
  // The label of what is chosen is in the same field, and is no search for it.
  const [text] = useDebouncedValue(chosen && isLabelOf(chosen, typed) ? '' : typed.trim(), PAUSE_MILLISECONDS);
  const found = useQuery({ ...find(text), enabled: text !== '', placeholderData: keepPreviousData });
  const usual = chosen && !frequent ? [...options, chosen] : options;
  const shown = text === '' ? usual : (found.data ?? optionsWith(usual, text));
  return (
    <ChoiceFilter
      {...others}
      value={value}
      options={distinct(shown, usual)}
      onSearch={setTyped}
      noneFound={found.isFetching ? strings.loading : strings.nothingFound}
    />
  );
}
