import { countJsonValues, JSON_LIMITS, JsonTooLarge } from '#platform/bounded-json.js';
import type { RequestBudget } from '../http/shares/request-memory.js';
import { type EarlierResponses, ReferencesTooLarge } from './references.js';

/** Estimated memory of a parsed value in addition to its text, in bytes: an empty object takes 56. */
const PARSED_VALUE_BYTES = 64;

/** A response, parsed at most once. */
interface KeptResponse {
  readonly text: string;
  parsed?: { readonly value: unknown };
}

/**
 * Earlier responses of a composite request, for references to them. Only responses that are referred to are parsed.
 * Before that, their values are counted: all of them together may have as many as a body may have.
 */
export class KeptResponses implements EarlierResponses {
  private readonly responses = new Map<string, KeptResponse>();
  private remainingValues: number = JSON_LIMITS.values;

  constructor(private readonly budget: RequestBudget) {}

  keep(referenceId: string, text: string): void {
    this.responses.set(referenceId, { text });
  }

  /** The response; undefined if there is none. Throws `ReferencesTooLarge`, or a 413 or 503 without enough memory. */
  get(referenceId: string): unknown {
    const response = this.responses.get(referenceId);
    if (!response) return undefined;
    response.parsed ??= { value: this.parse(response.text) };
    return response.parsed.value;
  }

  private parse(text: string): unknown {
    const values = this.count(text);
    this.budget.charge(text.length + values * PARSED_VALUE_BYTES);
    this.remainingValues -= values;
    return JSON.parse(text);
  }

  private count(text: string): number {
    try {
      return countJsonValues(Buffer.from(text), this.remainingValues);
    } catch (error) {
      if (!(error instanceof JsonTooLarge)) throw error;
      // Counting again and again would take long as well.
      this.remainingValues = 0;
      throw new ReferencesTooLarge(
        `The responses that a composite request refers to may have ${JSON_LIMITS.values} values together. ` +
          'Request smaller pages, or only the fields that you refer to.',
      );
    }
  }
}
