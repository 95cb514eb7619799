import { errorsOfFields, type InputOf } from '#domain/kernel/fields/field.js';
import { checkChoice, NOT_AN_OBJECT } from '#domain/kernel/fields/field-checks.js';
import { text } from '#domain/kernel/fields/fields.js';
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

const REFERENCE = /@\{[^{}]*\}/g;

/** Paths must lead to the API literally: no dots, backslashes or encoded slashes. */
function pathError(value: string): string | undefined {
  const [plain = ''] = value.replace(REFERENCE, 'x').split('?');
  if (/[\p{Cc}#]/u.test(value)) return 'Control characters and fragments are not allowed.';
  if (/^[a-z][a-z\d+.-]*:|^\/\/|\\|%2f|%5c/i.test(plain))
    return 'Must be a path of this API, with or without /api/v2/.';
  const segments = plain.split('/').map((part) => part.replace(/%2e/gi, '.'));
  return segments.some((part) => part === '.' || part === '..') ? 'Must not contain the segments . or ..' : undefined;
}

/** Characters of the reference syntax can't be part of a reference id. */
const referenceIdError = (value: string): string | undefined =>
  /^[^.[\]{}@\p{Cc}]+$/u.test(value) ? undefined : 'Must not contain control characters or any of . [ ] { } @';

/** The fields that are checked before any request is made. The body is checked by its own request. */
const subRequestFields = {
  method: text({ validate: (value) => checkChoice(value, METHODS) }),
  path: text({ validate: pathError }),
  reference_id: text({ maximum: MAX_REFERENCE_LENGTH, validate: referenceIdError }),
};

const NAMES = new Set([...Object.keys(subRequestFields), 'body']);

/** The path below `/api/v2/`, whether or not it was written with that prefix. */
const belowApi = (path: string): string => path.replace(/^\//, '').replace(/^api\/v2(?=\/|$)\/?/, '');

function errorsOf(entry: unknown, usedIds: ReadonlySet<string>, strict: boolean): FieldErrors {
  if (!isPlain(entry)) return { non_field_errors: [NOT_AN_OBJECT] };
  const errors = errorsOfFields(subRequestFields, entry);
  const id = entry['reference_id'];
  if (typeof id === 'string' && usedIds.has(id)) errors['reference_id'] = [`"${id}" is used twice.`];
  if (strict) for (const name of Object.keys(entry)) if (!NAMES.has(name)) errors[name] = ['This field is unknown.'];
  return errors;
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
    } = entry as InputOf<typeof subRequestFields> & {
      readonly body?: unknown;
    };
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
