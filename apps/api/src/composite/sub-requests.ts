import { BLANK, NOT_AN_OBJECT, NOT_NULL, REQUIRED } from '#domain/kernel/fields/field-checks.js';
import { type FieldErrors, Invalid } from '#domain/kernel/domain-errors.js';
import { isPlain } from '../http/media/ids-for-objects.js';

export const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

/** The maximum number of requests in a composite request. */
export const MAX_SUB_REQUESTS = 100;

export const MAX_REFERENCE_LENGTH = 100;

/** A request of a composite request, after its shape was checked. */
export interface SubRequest {
  readonly method: string;
  /** Path and query below `/api/v2/`, with unresolved references. */
  readonly path: string;
  readonly referenceId: string;
  /** Undefined if there is none; null means the same. */
  readonly body: unknown;
}

const FIELDS = new Set(['method', 'path', 'reference_id', 'body']);

/** Returns an error message, or undefined if the value is valid. */
type Check = (value: unknown) => string | undefined;

const text =
  (check: (value: string) => string | undefined): Check =>
  (value) => {
    if (value === undefined) return REQUIRED;
    if (value === null) return NOT_NULL;
    if (typeof value !== 'string') return 'Not a valid string.';
    if (value === '') return BLANK;
    return value.isWellFormed() ? check(value) : 'Lone surrogates are not allowed.';
  };

const checkMethod = text((value) =>
  METHODS.some((method) => method === value)
    ? undefined
    : `"${value}" is not a valid choice. Allowed: ${METHODS.join(', ')}.`,
);

/** Characters of the reference syntax can't be part of a reference id. */
const checkReferenceId = text((value) => {
  if (value.length > MAX_REFERENCE_LENGTH)
    return `Ensure this field has no more than ${MAX_REFERENCE_LENGTH} characters.`;
  return /^[^.[\]{}@\p{Cc}]+$/u.test(value) ? undefined : 'Must not contain control characters or any of . [ ] { } @';
});

const REFERENCE = /@\{[^{}]*\}/g;

/** Paths must lead to the API literally: no dots, backslashes or encoded slashes. */
const checkPath = text((value) => {
  const [plain = ''] = value.replace(REFERENCE, 'x').split('?');
  if (/[\p{Cc}#]/u.test(value)) return 'Control characters and fragments are not allowed.';
  if (/^[a-z][a-z\d+.-]*:|^\/\/|\\|%2f|%5c/i.test(plain))
    return 'Must be a path of this API, with or without /api/v2/.';
  const segments = plain.split('/').map((part) => part.replace(/%2e/gi, '.'));
  return segments.some((part) => part === '.' || part === '..') ? 'Must not contain the segments . or ..' : undefined;
});

/** The path below `/api/v2/`, whether or not it was written with that prefix. */
const belowApi = (path: string): string => path.replace(/^\//, '').replace(/^api\/v2(?=\/|$)\/?/, '');

function errorsOf(entry: unknown, usedIds: ReadonlySet<string>, strict: boolean): FieldErrors {
  if (!isPlain(entry)) return { non_field_errors: [NOT_AN_OBJECT] };
  const { method, path, reference_id: referenceId } = entry;
  const messages: [string, string | undefined][] = [
    ['method', checkMethod(method)],
    ['path', checkPath(path)],
    [
      'reference_id',
      checkReferenceId(referenceId) ??
        (usedIds.has(String(referenceId)) ? `"${String(referenceId)}" is used twice.` : undefined),
    ],
  ];
  if (strict)
    for (const name of Object.keys(entry)) if (!FIELDS.has(name)) messages.push([name, 'This field is unknown.']);
  return Object.fromEntries(messages.flatMap(([name, message]) => (message === undefined ? [] : [[name, [message]]])));
}

/**
 * Checks all requests of a composite request before any is made. `isNonComposable` decides whether a method and path
 * can't be part of another request. Throws `Invalid`.
 */
export function readSubRequests(
  entries: readonly unknown[],
  strict: boolean,
  isNonComposable: (method: string, path: string) => boolean,
): SubRequest[] {
  const usedIds = new Set<string>();
  const requests: SubRequest[] = [];
  const errors = entries.map((entry): FieldErrors => {
    const entryErrors = errorsOf(entry, usedIds, strict);
    if (Object.keys(entryErrors).length) return entryErrors;
    const {
      method,
      path,
      reference_id: referenceId,
      body,
    } = entry as { method: string; path: string; reference_id: string; body?: unknown };
    usedIds.add(referenceId);
    const request = { method, path: belowApi(path), referenceId, body: body ?? undefined };
    requests.push(request);
    return isNonComposable(method, request.path.replace(REFERENCE, 'x')) ? { path: [NON_COMPOSABLE] } : {};
  });
  if (errors.some((entryErrors) => Object.keys(entryErrors).length)) throw new Invalid({ composite_request: errors });
  return requests;
}

export const NON_COMPOSABLE =
  'A composite request cannot contain composite requests, files, or tests of connections and webhooks.';
