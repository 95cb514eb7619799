/** Whether a value of JSON is an object. */
export const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The id that an object of an answer stands for. Attributes have a number as their `id`, and show theirs beside it. */
const idFor = (value: unknown): unknown => (isPlain(value) ? (value['item_id'] ?? value['id'] ?? value) : value);

/** A value, or a list, with ids in place of the objects that answers show in place of ids. */
export const idsForObjects = (value: unknown): unknown => (Array.isArray(value) ? value.map(idFor) : idFor(value));
