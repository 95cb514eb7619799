import { Group, Select, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { strings } from '../strings.ts';

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

export interface Option {
  readonly value: string;
  readonly label: string;
  /** How many items have the value. */
  readonly count?: number;
}

/** Options of values that have a name each. */
export const choicesOf = (labels: Readonly<Record<string, string>>): Option[] =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

/** A filter by one of several values; the placeholder stands for all of them. */
export function ChoiceFilter({
  label,
  options,
  value,
  onChange,
}: {
  readonly label: string;
  readonly options: readonly Option[];
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}) {
  // A link can name a value that no item has.
  const isKnown = value === undefined || options.some((option) => option.value === value);
  return (
    <Select
      w={{ base: '48%', xs: 155 }}
      aria-label={label}
      placeholder={label}
      data={isKnown ? [...options] : [...options, { value, label: value }]}
      renderOption={({ option }) => (
        <Group justify="space-between" wrap="nowrap" gap="sm" flex={1}>
          <span>{option.label}</span>
          {'count' in option && (
            <Text size="xs" c="dimmed" aria-hidden>
              {String(option.count)}
            </Text>
          )}
        </Group>
      )}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      clearable
      clearButtonProps={{ 'aria-label': strings.clear(label) }}
      searchable={options.length > 12}
      comboboxProps={{ shadow: 'md', width: 'max-content', position: 'bottom-start' }}
      maxDropdownHeight={320}
    />
  );
}
