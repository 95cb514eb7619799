import { isWithinShare } from '#platform/fair-slots.js';
import type { Configuration } from '#platform/configuration.js';
import { ErrorResponse } from '../errors/error-response.js';

/** Value of `Retry-After` if other requests use the memory: most of them take less time. */
const BUSY_SECONDS = 5;

/**
 * The memory that requests of this process use for what they derive: results of reports, responses to the parts of a
 * composite request, and values parsed from them. Sizes are estimates. An organization never holds more than remains
 * for others. To be injected. See docs/adr/0044-memory-budgets.md.
 */
export class RequestMemory {
  private readonly bytesByOrganization = new Map<number, number>();
  private totalBytes = 0;

  constructor(private readonly limits: Pick<Configuration, 'maxRequestMemoryBytes' | 'maxMemoryBytes'>) {}

  /** The bytes that requests use now. */
  get usedBytes(): number {
    return this.totalBytes;
  }

  /** Opens the budget of a request while `work` runs, and releases everything that it used. */
  async during<Result>(organization: number, work: (budget: RequestBudget) => Promise<Result>): Promise<Result> {
    const budget = new RequestBudget(this.limits.maxRequestMemoryBytes, (bytes) => this.take(organization, bytes));
    try {
      return await work(budget);
    } finally {
      this.add(organization, -budget.usedBytes);
    }
  }

  private take(organization: number, bytes: number): void {
    const ownBytes = this.bytesByOrganization.get(organization) ?? 0;
    if (!isWithinShare(ownBytes, bytes, this.limits.maxMemoryBytes - this.totalBytes))
      throw new ErrorResponse(503, 'Other requests use the memory that this one needs. Try again later.', {
        'Retry-After': String(BUSY_SECONDS),
      });
    this.add(organization, bytes);
  }

  private add(organization: number, bytes: number): void {
    this.totalBytes += bytes;
    const ownBytes = (this.bytesByOrganization.get(organization) ?? 0) + bytes;
    if (ownBytes) this.bytesByOrganization.set(organization, ownBytes);
    else this.bytesByOrganization.delete(organization);
  }
}

/** The memory that one request may use for what it derives. */
export class RequestBudget {
  private used = 0;

  constructor(
    private readonly limit: number,
    private readonly take: (bytes: number) => void,
  ) {}

  get usedBytes(): number {
    return this.used;
  }

  /** Throws a 413 if the request would exceed its own budget, and a 503 if the process or organization would. */
  charge(bytes: number): void {
    if (this.used + bytes > this.limit)
      throw new ErrorResponse(413, `This request needs more than ${this.limit} bytes of memory. Request less at once.`);
    this.take(bytes);
    this.used += bytes;
  }
}
