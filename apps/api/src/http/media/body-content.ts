import { Problem } from '../errors/problem.js';

/** A request body that has been read but not yet looked at, with what its check depends on. */
export class BodyContent {
  constructor(
    private readonly bytes: Buffer,
    /** Whether unknown fields are refused. */
    readonly strict: boolean,
    /** Fields that an answer has and a body may bring back: always ignored, also when strict. */
    readonly tolerated: ReadonlySet<string>,
    /** Feature flags that are on for the caller: some fields exist only with one, or without. */
    readonly flags: ReadonlySet<string>,
  ) {}

  /** The JSON value; an empty body counts as an empty object. Throws a 400 where it is no JSON. */
  json(): unknown {
    if (this.bytes.length === 0) return {};
    try {
      return withinDepth(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(this.bytes)));
    } catch (error) {
      throw new Problem(400, `JSON parse error - ${error instanceof Error ? error.message : 'not readable'}`);
    }
  }
}

const MAXIMUM_DEPTH = 64;

/** Refuses values nested deeper than any body of ours, before anything walks them by recursion. */
function withinDepth(value: unknown): unknown {
  let level: unknown[] = [value];
  for (let depth = 0; level.length; depth += 1) {
    if (depth > MAXIMUM_DEPTH) throw new Error(`nested deeper than ${MAXIMUM_DEPTH} levels`);
    level = level.flatMap((entry) => (typeof entry === 'object' && entry !== null ? Object.values(entry) : []));
  }
  return value;
}
