import { NOT_AN_OBJECT } from '#domain/kernel/fields/field-checks.js';
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Invalid } from '#domain/kernel/domain-errors.js';
import { unstorableError } from '#domain/kernel/fields/free-fields.js';
import { JsonTooLarge, parseBoundedJson } from '#platform/bounded-json.js';
import { ErrorResponse } from '../errors/error-response.js';
import { idsForObjects } from './ids-for-objects.js';

/** Error for an unknown field, in strict mode. */
export const UNKNOWN_FIELD = 'This field is unknown.';

/**
 * A request body that has been read but not parsed, with the settings that its validation needs. If the body is too
 * large, it has the error to throw when it is parsed, because errors in the path take precedence.
 */
export class BodyContent {
  constructor(
    private readonly bytes: Buffer | ErrorResponse,
    /** Whether unknown fields are rejected. */
    readonly strict: boolean,
    /** Fields of a response that clients may send back: always ignored, even in strict mode. */
    readonly tolerated: ReadonlySet<string>,
    /** Feature flags that are on for the caller: some fields exist only with one, or without one. */
    readonly flags: ReadonlySet<string>,
    /** Receives the names of unknown fields that are ignored. */
    private readonly ignored: Set<string> = new Set(),
  ) {}

  /** A hash of the bytes. Throws a 413 if there are too many. */
  digest(): string {
    if (this.bytes instanceof ErrorResponse) throw this.bytes;
    return createHash('sha256').update(this.bytes).digest('base64url');
  }

  /** Whether the text contains one of these names: a cheap test that often avoids parsing. */
  mayContainField(...names: readonly string[]): boolean {
    const { bytes } = this;
    return bytes instanceof Buffer && names.some((name) => bytes.includes(`"${name}"`));
  }

  /**
   * The body without unchanged fields: all fields that equal the item's if the body is a whole item with its id, else
   * only those in `fixed`. Undefined if nothing is removed, or if the body is not a JSON object.
   */
  withoutUnchanged(item: Readonly<Record<string, unknown>>, fixed: readonly string[] = []): BodyContent | undefined {
    const body = this.objectIfAny() ?? {};
    const names = Object.hasOwn(body, 'id') ? Object.keys(item) : fixed;
    const isUnchanged = (value: unknown, current: unknown): boolean =>
      isDeepStrictEqual(value, current) || isDeepStrictEqual(idsForObjects(value), current);
    const unchangedNames = names.filter((name) => Object.hasOwn(body, name) && isUnchanged(body[name], item[name]));
    if (!unchangedNames.length) return undefined;
    const others = Object.entries(body).filter(([name]) => !unchangedNames.includes(name));
    const bytes = Buffer.from(JSON.stringify(Object.fromEntries(others)));
    return new BodyContent(bytes, this.strict, this.tolerated, this.flags, this.ignored);
  }

  /** Whether the body equals this item. */
  isItem(item: Readonly<Record<string, unknown>>): boolean {
    return isDeepStrictEqual(this.objectIfAny(), item);
  }

  /**
   * For routes without fields: the body must still be an object, and is ignored. Throws a 400 if it is not, and for
   * every field that must not be ignored.
   */
  assertNoFields(): void {
    const errors = Object.entries(this.object()).flatMap(([name, value]) => {
      const error = this.errorOfUnknown(name, value, this.tolerated);
      return error === undefined ? [] : [[name, [error]] as const];
    });
    if (errors.length) throw new Invalid(Object.fromEntries(errors));
  }

  /** Why an unknown field can't be ignored; undefined if it can. */
  errorOfUnknown(name: string, value: unknown, tolerated: ReadonlySet<string>): string | undefined {
    if (this.strict && !tolerated.has(name)) return UNKNOWN_FIELD;
    if (!tolerated.has(name)) this.ignored.add(name);
    return unstorableError(name) ?? unstorableError(value);
  }

  /** The JSON object in the body; a bare list becomes the field `bareList`, if any. Throws a 400 for other values. */
  object(bareList?: string): Record<string, unknown> {
    const value = this.json();
    if (bareList !== undefined && Array.isArray(value)) return { [bareList]: value };
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new Invalid({ non_field_errors: [NOT_AN_OBJECT] });
    return { ...value };
  }

  /** The parsed object; undefined if the body is not a JSON object. */
  private objectIfAny(): Record<string, unknown> | undefined {
    try {
      return this.object();
    } catch (error) {
      if (error instanceof Invalid || error instanceof ErrorResponse) return undefined;
      throw error;
    }
  }

  /** The parsed JSON; an empty body counts as an empty object. Throws a 413 or 400. */
  private json(): unknown {
    if (this.bytes instanceof ErrorResponse) throw this.bytes;
    if (this.bytes.length === 0) return {};
    try {
      return parseBoundedJson(this.bytes);
    } catch (error) {
      if (error instanceof JsonTooLarge) throw new Invalid({ [error.key ?? 'non_field_errors']: [error.message] });
      throw new ErrorResponse(400, `JSON parse error - ${error instanceof Error ? error.message : 'not readable'}`);
    }
  }
}
