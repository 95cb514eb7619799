import { isDeepStrictEqual } from 'node:util';
import { Invalid } from '#domain/kernel/domain-errors.js';
import { unstorableError } from '#domain/kernel/fields/free-fields.js';
import { JsonTooLarge, parseBoundedJson } from '#platform/bounded-json.js';
import { ErrorResponse } from '../errors/error-response.js';

/** Error for an unknown field, in strict mode. */
export const UNKNOWN_FIELD = 'This field is unknown.';

/**
 * A request body that has been read but not parsed, with the settings that its validation needs. If the body is too
 * large, it has the error to throw when it is parsed, because errors in the path take precedence.
 */
export class BodyContent {
  constructor(
    private readonly bytes: Buffer | ErrorResponse,
    /** Whether unknown fields are refused. */
    readonly strict: boolean,
    /** Fields that an answer has and a body may bring back: always ignored, also when strict. */
    readonly tolerated: ReadonlySet<string>,
    /** Feature flags that are on for the caller: some fields exist only with one, or without. */
    readonly flags: ReadonlySet<string>,
  ) {}

  /** Whether one of these names may be that of a field: a cheap look at the text, which is often enough. */
  mayName(...names: readonly string[]): boolean {
    const { bytes } = this;
    return bytes instanceof Buffer && names.some((name) => bytes.includes(`"${name}"`));
  }

  /**
   * The same body without the fields that are as an item shows them: all of them where the body is a whole item, with
   * its id, else those in `fixed`. Undefined where there are none, or where the body is no JSON object.
   */
  without(item: Readonly<Record<string, unknown>>, fixed: readonly string[]): BodyContent | undefined {
    let body: Record<string, unknown>;
    try {
      body = this.object();
    } catch (error) {
      if (error instanceof Invalid || error instanceof ErrorResponse) return undefined;
      throw error;
    }
    const names = Object.hasOwn(body, 'id') ? Object.keys(item) : fixed;
    const same = names.filter((name) => Object.hasOwn(body, name) && isDeepStrictEqual(body[name], item[name]));
    if (!same.length) return undefined;
    const others = Object.entries(body).filter(([name]) => !same.includes(name));
    const bytes = Buffer.from(JSON.stringify(Object.fromEntries(others)));
    return new BodyContent(bytes, this.strict, this.tolerated, this.flags);
  }

  /**
   * For routes that take no fields: the body must be an object all the same, and is ignored. Throws a 400 where it is
   * none, and for every field that can't be ignored.
   */
  refuseFields(): void {
    const errors = Object.entries(this.object()).flatMap(([name, value]) => {
      const problem = this.problemOfUnknown(name, value, this.tolerated);
      return problem === undefined ? [] : [[name, [problem]] as const];
    });
    if (errors.length) throw new Invalid(Object.fromEntries(errors));
  }

  /** Why a field that is not known can't be ignored; undefined where it can. */
  problemOfUnknown(name: string, value: unknown, tolerated: ReadonlySet<string>): string | undefined {
    if (this.strict && !tolerated.has(name)) return UNKNOWN_FIELD;
    return unstorableError(name) ?? unstorableError(value);
  }

  /**
   * The JSON object that the body is; a bare list is the field `bareList`, if any. Throws a 400 where it is something
   * else.
   */
  object(bareList?: string): Record<string, unknown> {
    const value = this.json();
    if (bareList !== undefined && Array.isArray(value)) return { [bareList]: value };
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new Invalid({ non_field_errors: ['Invalid data. Expected an object.'] });
    return { ...value };
  }

  /** The JSON value; an empty body counts as an empty object. Throws a 413 or 400 where there is none. */
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
