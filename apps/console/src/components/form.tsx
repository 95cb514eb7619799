import { Alert, Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { strings } from '../strings.ts';
import { type Field, type FieldValue, FormField, inWords } from './form-fields.tsx';
import { useFormValues, type Values } from './form-values.ts';
import { messageOf } from './states.tsx';

/** The fields of a form, by the names that the API has for them. Values without a field are not changed. */
export type FieldsOf<Fields extends Values> = { readonly [Name in keyof Fields]?: Field | undefined };

/** The messages of an error by field. Those of parts of a field belong to the field. */
const errorsIn = (error: Error | null): Readonly<Record<string, string>> =>
  (error as { fields?: Readonly<Record<string, string>> } | null)?.fields ?? {};

const isEmpty = (value: FieldValue | undefined): boolean =>
  value === null || (typeof value === 'string' && value.trim() === '') || (Array.isArray(value) && value.length === 0);

interface FormProps<Fields extends Values, Result> {
  readonly label: string;
  readonly fields: FieldsOf<Fields>;
  readonly initial: Fields;
  readonly submit?: string;
  /** Receives all values, those that differ from the saved ones, and the saved ones. */
  readonly save: (values: Fields, changed: Partial<Fields>, base: Fields) => Promise<Result>;
  readonly onSaved: (result: Result) => void;
  /** The values of the item that the error of a change contains, if someone else has changed it. */
  readonly currentIn?: (error: Error) => Fields | undefined;
}

/** Says what someone else has changed since the form was opened. What the user typed is kept, but not saved. */
function Conflict({
  changes,
  onKeepTheirs,
}: {
  readonly changes: readonly string[];
  readonly onKeepTheirs: () => void;
}) {
  return (
    <Alert color="yellow" variant="outline" title={strings.formConflict} role="alert">
      <Stack gap="xs" align="flex-start">
        <ul className="prose">
          {changes.map((change) => (
            <li key={change}>{change}</li>
          ))}
        </ul>
        {strings.formConflictText}
        <Button size="xs" variant="default" onClick={onKeepTheirs}>
          {strings.conflictKeep}
        </Button>
      </Stack>
    </Alert>
  );
}

/**
 * A form for a change by the API. Errors of fields are next to them, other errors below all fields. Leaving the page
 * with values that are not saved asks first.
 */
export function Form<Fields extends Values, Result>(props: FormProps<Fields, Result>) {
  const { label, fields, initial, submit = strings.save, save, onSaved, currentIn } = props;
  const { values, changed, base, isChanged, set, markSaved, rebase, revert } = useFormValues(initial);
  const [attempts, setAttempts] = useState(0);
  const [theirs, setTheirs] = useState<readonly string[]>([]);
  const form = useRef<HTMLFormElement>(null);
  const names = Object.keys(fields) as (keyof Fields & string)[];
  const missing = names.filter((name) => fields[name]?.isRequired && isEmpty(values[name]));

  const saving = useMutation({
    mutationFn: () => save(values, changed(), base()),
    onSuccess: (result) => {
      markSaved();
      setTheirs([]);
      onSaved(result);
    },
    onError: (error) => {
      const current = currentIn?.(error);
      if (!current) return;
      const inSentence = (name: keyof Fields & string): string => {
        const field = fields[name];
        return field ? `${field.label}: ${inWords(field, current[name])}` : name;
      };
      setTheirs(rebase(current).map(inSentence));
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
                onChange={(value) => set(name, value)}
              />
            )
          );
        })}
        {theirs.length > 0 && (
          <Conflict
            changes={theirs}
            onKeepTheirs={() => {
              revert();
              setTheirs([]);
              saving.reset();
            }}
          />
        )}
        {theirs.length === 0 && general !== '' && (
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
