/** Whether a JSON value is an object. */
export const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The id of an object that responses show instead of an id. For attributes it is `item_id`; their `id` is a number. */
const idFor = (value: unknown): unknown => (isPlain(value) ? (value['item_id'] ?? value['id'] ?? value) : value);

/** Replaces such an object, or those in a list, by their ids. Other values are returned unchanged. */
export const idsForObjects = (value: unknown): unknown => (Array.isArray(value) ? value.map(idFor) : idFor(value));
