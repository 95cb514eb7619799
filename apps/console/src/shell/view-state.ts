/** Readers of what is in the address of a page: a value that a page does not know counts as absent. */
type Value = unknown;

export const textOf = (value: Value): string | undefined => {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? text : undefined;
};

export const numberOf = (value: Value): number | undefined => {
  const number = Number(value ?? Number.NaN);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
};

export const oneOf =
  <Choice extends string>(...choices: readonly Choice[]) =>
  (value: Value): Choice | undefined =>
    choices.find((choice) => choice === String(value));

/** A day such as `2026-03-04`. */
export const dayOf = (value: Value): string | undefined => {
  const text = String(value);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
};
