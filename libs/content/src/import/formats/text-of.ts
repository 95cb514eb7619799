/** A scalar as text; other values become the empty text. */
export const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
};

/** The entries of a list as texts. */
export const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(textOf) : []);
