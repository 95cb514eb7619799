import { Group, Text } from '@mantine/core';
import { nameOf, type Person } from './formats.tsx';

/** A value that someone can choose. */
export interface Option {
  readonly value: string;
  readonly label: string;
  /** What tells it from others with the same label, such as an e-mail address. */
  readonly detail?: string;
  /** How many items have the value. */
  readonly count?: number;
}

export const personOption = (person: Person, value: string): Option => ({
  value,
  label: nameOf(person),
  ...(person.email !== nameOf(person) && { detail: person.email }),
});

/** Adds its detail to each label that another of the options has too. */
export function distinct(options: readonly Option[], others: readonly Option[] = options): Option[] {
  const values = new Map<string, Set<string>>();
  for (const { value, label } of [...options, ...others])
    values.set(label, (values.get(label) ?? new Set()).add(value));
  return options.map((option) => {
    const { label, detail } = option;
    if (detail === undefined || values.get(label)?.size === 1) return option;
    return { ...option, label: labelWith(label, detail) };
  });
}

/** Whether a field shows this option. */
export const isLabelOf = ({ label, detail = '' }: Option, text: string): boolean =>
  text === label || text === labelWith(label, detail);

const labelWith = (label: string, detail: string): string => `${label} (${detail})`;

interface Shown {
  readonly value: string;
  readonly label: string;
}

const isOption = (option: object): option is Option => 'label' in option;

/** An option in a menu: what it is, what tells it from others, and how many items have it. */
export function renderOption({ option }: { readonly option: Shown }) {
  const { label, detail, count }: Option = option;
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm" flex={1}>
      <div style={{ minWidth: 0 }}>
        {label}
        {detail !== undefined && !label.endsWith(`(${detail})`) && (
          <Text size="xs" c="dimmed">
            {detail}
          </Text>
        )}
      </div>
      {count !== undefined && (
        <Text size="xs" c="dimmed" aria-hidden>
          {String(count)}
        </Text>
      )}
    </Group>
  );
}

const contains = ({ label, detail = '' }: Option, text: string): boolean =>
  `${label} ${detail}`.toLowerCase().includes(text.trim().toLowerCase());

/** Whether a text occurs in an option; menus search in what they show. */
const filter = <Item extends object>({ options, search }: { readonly options: Item[]; readonly search: string }) =>
  options.filter((option) => !isOption(option) || contains(option, search));

/** What a menu needs to offer options, of which some may have the same label. */
export const menuOf = (options: readonly Option[]) => ({
  data: distinct(options),
  filter,
  // Otherwise, the menu marks what is chosen.
  ...(options.some((option) => 'detail' in option || 'count' in option) && { renderOption }),
});

/** The options in which a text occurs. */
export const optionsWith = (options: readonly Option[], text: string): readonly Option[] =>
  options.filter((option) => contains(option, text));
