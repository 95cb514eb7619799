/** Longer texts of trackers are cut off. */
const MAX_REASON_LENGTH = 500;

/** Members of errors that hold texts, in the bodies of the supported trackers. */
const TEXTS = ['errorMessages', 'errors', 'message', 'error', 'error_description'];

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The texts of a member: a text, a list, an error of a field as GitHub describes it, or an object from fields to texts.
 */
function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap((item) => textsOf(item));
  if (!isObject(value)) return [];
  const { field, code, message } = value;
  if (typeof message === 'string') return [message];
  if (typeof field === 'string' && typeof code === 'string') return [`${field}: ${code}`];
  return Object.entries(value).flatMap(([name, texts]) => textsOf(texts).map((text) => `${name}: ${text}`));
}

/**
 * What a tracker says about an error.
 *
 * @param text the body of its response
 * @returns how to continue a sentence: `: Subject cannot be blank.`, or a full stop if the tracker gives no reason
 */
export function refusalReason(text: string): string {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return '.';
  }
  const found = isObject(body) ? TEXTS.flatMap((name) => textsOf((body as Record<string, unknown>)[name])) : [];
  const reason = found
    .join('; ')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_REASON_LENGTH);
  if (reason === '') return '.';
  return `: ${reason}${/[.!?]$/.test(reason) ? '' : '.'}`;
}
