import { useEffect, useRef, useState } from 'react';
import type { FieldValue } from './form-fields.tsx';

export type Values = Readonly<Record<string, FieldValue>>;

const differ = (a: FieldValue | undefined, b: FieldValue | undefined): boolean =>
  JSON.stringify(a) !== JSON.stringify(b);

const namesThatDiffer = <Fields extends Values>(a: Fields, b: Fields): (keyof Fields & string)[] =>
  Object.keys(a).filter((name) => differ(a[name], b[name]));

/** The values of a form, and the saved ones that they are compared with. */
export function useFormValues<Fields extends Values>(initial: Fields) {
  const [values, setValues] = useState<Fields>(initial);
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

  /** The values that are not saved yet. */
  const changed = (): Partial<Fields> =>
    Object.fromEntries(namesThatDiffer(values, saved.current).map((name) => [name, values[name]])) as Partial<Fields>;

  return {
    values,
    changed,
    /** The saved values that the changes are made to. */
    base: (): Fields => saved.current,
    isChanged: (): boolean => Object.keys(changed()).length > 0,
    set: (name: keyof Fields & string, value: FieldValue): void =>
      setValues((before) => ({ ...before, [name]: value })),
    markSaved: (): void => {
      saved.current = values;
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
    revert: (): void => setValues(saved.current),
  };
}
