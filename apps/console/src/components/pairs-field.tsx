import { Button, Group, Input, Select, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { strings } from '../strings.ts';
import type { Option } from './options.tsx';
import { type Pair, type PairsOptions, rowsOf } from './pairs.ts';

interface CellProps {
  readonly label: string;
  readonly placeholder?: string | undefined;
  readonly value: string;
  readonly options: readonly Option[] | undefined;
  readonly error?: string | undefined;
  readonly onChange: (value: string) => void;
}

/** A text, or one of the options. */
function Cell({ label, placeholder, value, options, error, onChange }: CellProps) {
  const common = { 'aria-label': label, placeholder, error, flex: 1, miw: 0 };
  return options ? (
    <Select
      {...common}
      data={[...options]}
      value={value === '' ? null : value}
      onChange={(chosen) => onChange(chosen ?? '')}
    />
  ) : (
    <TextInput {...common} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
  );
}

interface PairsFieldProps extends PairsOptions {
  readonly label: string;
  readonly description?: string | undefined;
  readonly pairs: readonly Pair[];
  readonly error: string | undefined;
  /** Messages by name. A name without a row gets one. */
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (pairs: readonly Pair[]) => void;
}

/** Names with values, in rows. */
export function PairsField({ label, description, pairs, error, errors, onChange, ...options }: PairsFieldProps) {
  const { nameLabel, valueLabel, names, values, hasAllNames = false } = options;
  // Rows that were removed since these errors were found: they do not come back.
  const [removed, setRemoved] = useState<{ readonly from: object; readonly names: readonly string[] }>();
  const removedNames = removed?.from === errors ? removed.names : [];
  const rows = rowsOf(
    options,
    pairs,
    Object.keys(errors).filter((name) => !removedNames.includes(name)),
  );
  const replace = (index: number, next?: Pair): void =>
    onChange(rows.flatMap((row, place) => (place === index ? (next ? [next] : []) : [row])));
  const titleOf = (name: string): string => names?.find(({ value }) => value === name)?.label ?? name;
  return (
    <Input.Wrapper label={label} description={description} error={error} labelElement="div">
      <Stack gap="xs" role="group" aria-label={label} mt={6}>
        {rows.map((row, index) => {
          const [name, value] = row;
          return (
            // A name may be empty or change while someone types.
            // oxlint-disable-next-line react/no-array-index-key
            <Group key={index} gap="xs" wrap="nowrap" align="flex-start">
              {hasAllNames ? (
                <Text size="sm" flex={1} miw={0} py={8}>
                  {titleOf(name)}
                </Text>
              ) : (
                <Cell
                  label={`${nameLabel} ${index + 1}`}
                  placeholder={nameLabel}
                  value={name}
                  options={names?.filter((one) => one.value === name || !rows.some(([used]) => used === one.value))}
                  onChange={(next) => replace(index, [next, value])}
                />
              )}
              <Cell
                label={strings.pairValue(valueLabel, titleOf(name))}
                placeholder={hasAllNames ? undefined : valueLabel}
                value={value}
                options={values}
                error={errors[name]}
                onChange={(next) => replace(index, [name, next])}
              />
              {!hasAllNames && (
                <Button
                  variant="default"
                  aria-label={strings.pairRemoveOf(label, titleOf(name))}
                  onClick={() => {
                    setRemoved({ from: errors, names: [...removedNames, name] });
                    replace(index);
                  }}
                >
                  {strings.pairRemove}
                </Button>
              )}
            </Group>
          );
        })}
        {!hasAllNames && (
          <Group>
            <Button
              size="xs"
              variant="default"
              aria-label={strings.pairAddTo(label)}
              onClick={() => onChange([...rows, ['', '']])}
            >
              {strings.pairAdd}
            </Button>
          </Group>
        )}
      </Stack>
    </Input.Wrapper>
  );
}
