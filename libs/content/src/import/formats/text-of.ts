/** A scalar as a text; nothing else has one. */
export const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
};

/** The texts of a list. */
export const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(textOf) : []);
