import { Alert, Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { strings } from '../strings.ts';
import { type Field, type FieldValue, FormField } from './form-fields.tsx';
import { messageOf } from './states.tsx';

type Values = Readonly<Record<string, FieldValue>>;

/** The fields of a form, by the names that the API has for them. Values without a field are not changed. */
export type FieldsOf<Fields extends Values> = { readonly [Name in keyof Fields]?: Field | undefined };

/** The messages of an error by field. Those of parts of a field belong to the field. */
const errorsIn = (error: Error | null): Readonly<Record<string, string>> =>
  (error as { fields?: Readonly<Record<string, string>> } | null)?.fields ?? {};

const isEmpty = (value: FieldValue | undefined): boolean =>
  (typeof value === 'string' && value.trim() === '') || (Array.isArray(value) && value.length === 0);

interface FormProps<Fields extends Values, Result> {
  readonly label: string;
  readonly fields: FieldsOf<Fields>;
  readonly initial: Fields;
  readonly submit?: string;
  /** Receives all values, and those that differ from the initial ones. */
  readonly save: (values: Fields, changed: Partial<Fields>) => Promise<Result>;
  readonly onSaved: (result: Result) => void;
  /** More controls below the fields. */
  readonly children?: ReactNode;
}

/**
 * A form for a change by the API. Errors of fields are next to them, other errors below all fields. Leaving the page
 * with values that are not saved asks first.
 */
export function Form<Fields extends Values, Result>(props: FormProps<Fields, Result>) {
  const { label, fields, initial, submit = strings.save, save, onSaved } = props;
  const [values, setValues] = useState<Fields>(initial);
  const [attempts, setAttempts] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  const saved = useRef(initial);
  const names = Object.keys(fields) as (keyof Fields & string)[];
  const missing = names.filter((name) => fields[name]?.isRequired && isEmpty(values[name]));
  const changed = (): Partial<Fields> => {
    const differing = names.filter((name) => JSON.stringify(values[name]) !== JSON.stringify(saved.current[name]));
    return Object.fromEntries(differing.map((name) => [name, values[name]])) as Partial<Fields>;
  };
  const isChanged = (): boolean => Object.keys(changed()).length > 0;

  const saving = useMutation({
    mutationFn: () => save(values, changed()),
    onSuccess: (result) => {
      saved.current = values;
      onSaved(result);
    },
  });
  useEffect(() => {
    if (attempts > 0 || saving.error) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [attempts, saving.error]);
  useBlocker({
    // oxlint-disable-next-line no-alert
    shouldBlockFn: () => isChanged() && !window.confirm(strings.leaveForm),
    enableBeforeUnload: isChanged,
  });

  const errors = errorsIn(saving.error);
  const others = Object.entries(errors).flatMap(([name, message]) => (Object.hasOwn(fields, name) ? [] : [message]));
  const general = saving.error && Object.keys(errors).length === 0 ? messageOf(saving.error) : others.join(' ');
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    setAttempts((before) => before + 1);
    if (missing.length === 0) saving.mutate();
  };
  return (
    <form aria-label={label} onSubmit={onSubmit} noValidate ref={form}>
      <Stack>
        {names.map((name) => {
          const field = fields[name];
          return (
            field && (
              <FormField
                key={name}
                field={field}
                value={values[name] ?? ''}
                error={attempts > 0 && missing.includes(name) ? strings.required : errors[name]}
                onChange={(value) => setValues((before) => ({ ...before, [name]: value }))}
              />
            )
          );
        })}
        {props.children}
        {general !== '' && (
          <Alert color="red" variant="outline" role="alert">
            {general}
          </Alert>
        )}
        <Group>
          <Button type="submit" loading={saving.isPending}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
