import { useEffect, useRef, useState } from 'react';
import { forgetDraft, keepDraft, readDraft } from './draft.ts';
import type { FieldValue } from './form-fields.tsx';

export type Values = Readonly<Record<string, FieldValue>>;

const differ = (a: FieldValue | undefined, b: FieldValue | undefined): boolean =>
  JSON.stringify(a) !== JSON.stringify(b);

const namesThatDiffer = <Fields extends Values>(a: Fields, b: Fields): (keyof Fields & string)[] =>
  Object.keys(a).filter((name) => differ(a[name], b[name]));

const pick = <Fields extends Values>(values: Partial<Fields>, names: readonly string[]): Partial<Fields> =>
  Object.fromEntries(names.map((name) => [name, values[name]])) as Partial<Fields>;

/** What is kept of a form: the values that are not saved, and the saved ones instead of which they were typed. */
interface KeptValues<Fields> {
  readonly typed: Partial<Fields>;
  readonly base: Partial<Fields>;
}

/**
 * The values of a form, and the saved ones that they are compared with. Values that are not saved are kept in this tab,
 * also if the page is loaded again.
 *
 * @param draft the name under which they are kept
 * @param isKept whether a value may be kept: passwords are not
 */
export function useFormValues<Fields extends Values>(
  initial: Fields,
  draft: string,
  isKept: (name: keyof Fields & string) => boolean,
) {
  const [kept, setKept] = useState(() => readDraft(draft) as KeptValues<Fields> | undefined);
  const [values, setValues] = useState<Fields>({
    ...initial,
    ...(kept &&
      pick(
        kept.typed,
        Object.keys(kept.typed).filter((name) => name in initial),
      )),
  });
  const saved = useRef(initial);

  // What others change appears, unless someone has begun to type.
  const loaded = JSON.stringify(initial);
  useEffect(() => {
    if (namesThatDiffer(values, saved.current).length > 0) return;
    saved.current = initial;
    setValues(initial);
    // Only other values matter here.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [loaded]);

  useEffect(() => {
    const names = namesThatDiffer(values, saved.current).filter(isKept);
    if (names.length === 0) forgetDraft(draft);
    else keepDraft(draft, { typed: pick(values, names), base: pick(saved.current, names) });
    // Which values are kept depends on the fields, which do not change.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [draft, values]);

  /** The values that are not saved yet. */
  const changed = (): Partial<Fields> => pick<Fields>(values, namesThatDiffer(values, saved.current));

  const forget = (): void => {
    forgetDraft(draft);
    setKept(undefined);
  };

  return {
    values,
    changed,
    /** Whether values are back that were typed before the page was loaded again. */
    isRestored: kept !== undefined,
    /** What values were that someone else has saved since they were typed. */
    overtaken: (): Partial<Fields> => {
      const base: Partial<Fields> = kept?.base ?? {};
      const names = Object.keys(base).filter((name) => differ(base[name], saved.current[name]));
      return pick<Fields>(base, names);
    },
    /** Keeps the values no longer: the user leaves them. */
    forget,
    /** The saved values that the changes are made to. */
    base: (): Fields => saved.current,
    isChanged: (): boolean => Object.keys(changed()).length > 0,
    set: (name: keyof Fields & string, value: FieldValue): void =>
      setValues((before) => ({ ...before, [name]: value })),
    markSaved: (): void => {
      saved.current = values;
      forget();
    },
    /** Takes what someone else has saved, except where the user has typed something; returns what they changed. */
    rebase: (theirs: Fields): (keyof Fields & string)[] => {
      const names = namesThatDiffer(theirs, saved.current);
      const mine = changed();
      saved.current = theirs;
      setValues({ ...theirs, ...mine });
      return names;
    },
    /** Drops what is not saved. */
    revert: (): void => {
      forget();
      setValues(saved.current);
    },
  };
}
