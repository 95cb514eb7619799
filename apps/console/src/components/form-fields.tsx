import { FileInput, MultiSelect, PasswordInput, Select, Switch, TagsInput, Textarea, TextInput } from '@mantine/core';
import { strings } from '../strings.ts';
import { distinct, menuOf, type Option } from './options.tsx';
import { MarkdownField } from './markdown-field.tsx';
import type { Pair, PairsOptions } from './pairs.ts';
import { PairsField } from './pairs-field.tsx';

export type FieldValue = string | boolean | readonly string[] | readonly Pair[] | File | null;

interface Described {
  readonly label: string;
  readonly description?: string | undefined;
  readonly isRequired?: boolean;
}

/** What a form asks for, and how. */
export type Field = Described &
  (
    | { readonly kind: 'text' | 'email' | 'url' | 'number' | 'date' | 'long' | 'switch' | 'words' | 'tags' | 'file' }
    | { readonly kind: 'password'; readonly autoComplete: 'current-password' | 'new-password' }
    | { readonly kind: 'choice' | 'choices'; readonly options: readonly Option[] }
    | ({ readonly kind: 'pairs' } & PairsOptions)
    | { readonly kind: 'markdown'; readonly render: (text: string) => Promise<string> }
  );

/** The rows of a field for names with values. */
export const rowsIn = (value: FieldValue | undefined): readonly Pair[] =>
  Array.isArray(value) ? (value as readonly Pair[]) : [];

/** A value in words. */
export function inWords(field: Field, value: FieldValue | undefined): string {
  if (field.kind === 'pairs')
    return strings.quoted(
      rowsIn(value)
        .map((pair) => pair.join(': '))
        .join(', '),
    );
  if (typeof value === 'boolean') return value ? strings.yes : strings.no;
  const options = 'options' in field ? distinct(field.options) : [];
  const nameOf = (one: unknown): unknown => options.find((option) => option.value === one)?.label ?? one;
  const texts = [value ?? ''].flat().map(nameOf);
  return strings.quoted(texts.join(', '));
}

interface FieldProps {
  readonly field: Field;
  readonly value: FieldValue;
  readonly error: string | undefined;
  /** Messages by name, for a field whose value has names. */
  readonly entryErrors: Readonly<Record<string, string>> | undefined;
  readonly onChange: (value: FieldValue) => void;
}

/** With more options than this, typing finds one. */
const MAX_SHORT = 8;

/** One field of a form, with its error. */
export function FormField({ field, value, error, entryErrors, onChange }: FieldProps) {
  const common = {
    label: field.label,
    description: field.description,
    required: field.isRequired ?? false,
    error,
  };
  const text = {
    ...common,
    value: typeof value === 'string' ? value : '',
    onChange: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onChange(currentTarget.value),
  };
  const texts = Array.isArray(value) ? [...(value as readonly string[])] : [];
  switch (field.kind) {
    case 'long':
      return <Textarea {...text} autosize minRows={2} />;
    case 'markdown':
      return <MarkdownField {...common} value={text.value} onChange={onChange} render={field.render} />;
    case 'pairs': {
      const { kind: _, isRequired: __, ...pairs } = field;
      return (
        <PairsField {...pairs} pairs={rowsIn(value)} error={error} errors={entryErrors ?? {}} onChange={onChange} />
      );
    }
    case 'password':
      return <PasswordInput {...text} autoComplete={field.autoComplete} aria-invalid={error !== undefined} />;
    case 'switch':
      return (
        <Switch
          {...common}
          checked={value === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      );
    case 'file':
      return (
        <FileInput
          {...common}
          placeholder={strings.chooseFile}
          value={value instanceof File ? value : null}
          onChange={onChange}
          clearable
        />
      );
    case 'words':
    case 'tags':
      return (
        <TagsInput
          {...common}
          value={texts}
          onChange={onChange}
          splitChars={field.kind === 'tags' ? [','] : [',', ' ']}
          acceptValueOnBlur
        />
      );
    case 'choice':
      return (
        <Select
          {...common}
          {...menuOf(field.options)}
          value={text.value === '' ? null : text.value}
          onChange={(chosen) => onChange(chosen ?? '')}
          clearable={!common.required}
          searchable={field.options.length > MAX_SHORT}
        />
      );
    case 'choices':
      return (
        <MultiSelect
          {...common}
          {...menuOf(field.options)}
          value={texts}
          onChange={onChange}
          searchable
          hidePickedOptions
          clearable
        />
      );
    case 'text':
    case 'email':
    case 'url':
    case 'number':
    case 'date':
      break;
  }
  return <TextInput {...text} type={field.kind} />;
}
