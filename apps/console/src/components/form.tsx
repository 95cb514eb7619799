import { Alert, Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { strings } from '../strings.ts';
import { hasDraft, keepsDrafts } from './draft.ts';
import { DraftRestored } from './draft-field.tsx';
import { type Field, type FieldValue, FormField, inWords, rowsIn } from './form-fields.tsx';
import { useFormValues, type Values } from './form-values.ts';
import { pairsError } from './pairs.ts';
import { messageOf } from './states.tsx';
import { TextDifference } from './text-difference.tsx';

/** The fields of a form, by the names that the API has for them. Values without a field are not changed. */
export type FieldsOf<Fields extends Values> = { readonly [Name in keyof Fields]?: Field | undefined };

type Messages = Readonly<Record<string, string>>;

/** The messages of an error by field, and those of fields whose values have names by name too. */
const errorsIn = (error: Error | null): { readonly fields: Messages; readonly entries: Record<string, Messages> } => ({
  fields: {},
  entries: {},
  ...(error as object | null),
});

/** Why a value can't be sent. */
function faultOf(field: Field | undefined, value: FieldValue | undefined): string | undefined {
  if (field?.isRequired && isEmpty(value)) return strings.required;
  return field?.kind === 'pairs' ? pairsError(field, rowsIn(value)) : undefined;
}

const isEmpty = (value: FieldValue | undefined): boolean =>
  value === null || (typeof value === 'string' && value.trim() === '') || (Array.isArray(value) && value.length === 0);

/** Kinds of fields whose values are not kept in the browser. */
const NEVER_KEPT: readonly (Field['kind'] | undefined)[] = ['password', 'file'];

/** The name of what was typed in a form at the present address. */
const draftOfForm = (label: string): string => `form.${location.pathname}.${label}`;

/** Whether something was typed in a form at the present address, and not saved. */
export const hasFormDraft = (label: string): boolean => hasDraft(draftOfForm(label));

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

/** A value that someone else has changed. */
interface TheirChange {
  readonly name: string;
  readonly text: ReactNode;
}

const textOf = (value: FieldValue | undefined): string => (typeof value === 'string' ? value : '');

/** What someone else has changed in a field: the new value, or the lines of a long text that differ. */
function changeOf(name: string, field: Field | undefined, before?: FieldValue, after?: FieldValue): TheirChange {
  if (!field) return { name, text: name };
  if (field.kind !== 'markdown') return { name, text: `${field.label}: ${inWords(field, after)}` };
  return { name, text: <TextDifference label={field.label} before={textOf(before)} after={textOf(after)} /> };
}

/** Says what someone else has changed since the form was opened. What the user typed is kept, but not saved. */
function Conflict({
  changes,
  onKeepTheirs,
}: {
  readonly changes: readonly TheirChange[];
  readonly onKeepTheirs: () => void;
}) {
  return (
    <Alert color="yellow" variant="outline" title={strings.formConflict} role="alert">
      <Stack gap="xs" align="flex-start">
        <ul className="prose">
          {changes.map(({ name, text }) => (
            <li key={name}>{text}</li>
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
  // The name stays while the page is left: the address is the next one then.
  const [draft] = useState(() => draftOfForm(label));
  const isKept = (name: keyof Fields & string): boolean => !NEVER_KEPT.includes(fields[name]?.kind);
  const form = useFormValues(initial, draft, isKept);
  const { values, changed, base, isChanged, set, markSaved, rebase, revert } = form;
  const [attempts, setAttempts] = useState(0);
  const [theirs, setTheirs] = useState<readonly TheirChange[]>(() =>
    Object.entries(form.overtaken()).map(([name, before]) => changeOf(name, fields[name], before, initial[name])),
  );
  const element = useRef<HTMLFormElement>(null);
  const names = Object.keys(fields) as (keyof Fields & string)[];
  const faults = new Map(names.map((name) => [name, faultOf(fields[name], values[name])]));
  const canSend = [...faults.values()].every((fault) => fault === undefined);

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
      const before = base();
      setTheirs(rebase(current).map((name) => changeOf(name, fields[name], before[name], current[name])));
    },
  });
  useEffect(() => {
    if (attempts > 0 || saving.error) element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [attempts, saving.error]);
  const discard = (): void => {
    revert();
    setTheirs([]);
    saving.reset();
  };
  useBlocker({
    shouldBlockFn: () => {
      if (!isChanged()) return false;
      // oxlint-disable-next-line no-alert
      const mayLeave = window.confirm(strings.leaveForm);
      if (mayLeave) form.forget();
      return !mayLeave;
    },
    enableBeforeUnload: () => (keepsDrafts() ? !Object.keys(changed()).every(isKept) : isChanged()),
  });

  const { fields: errors, entries } = errorsIn(saving.error);
  const others = Object.entries(errors).flatMap(([name, message]) => (fields[name] ? [] : [message]));
  const general = saving.error && Object.keys(errors).length === 0 ? messageOf(saving.error) : others.join(' ');
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    setAttempts((before) => before + 1);
    if (canSend) saving.mutate();
  };
  return (
    <form aria-label={label} onSubmit={onSubmit} noValidate ref={element}>
      <Stack>
        {form.isRestored && isChanged() && <DraftRestored onDiscard={discard} />}
        {names.map((name) => {
          const field = fields[name];
          return (
            field && (
              <FormField
                key={name}
                field={field}
                value={values[name] ?? ''}
                error={(attempts > 0 ? faults.get(name) : undefined) ?? (entries[name] ? undefined : errors[name])}
                entryErrors={entries[name]}
                onChange={(value) => set(name, value)}
              />
            )
          );
        })}
        {theirs.length > 0 && <Conflict changes={theirs} onKeepTheirs={discard} />}
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
