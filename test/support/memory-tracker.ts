import { OutboundFailure } from '#platform/outbound/outbound-failure.js';
import {
  type IssueChange,
  type IssueDraft,
  type IssuePage,
  MERLON_LABEL,
  type TrackerIssue,
  type TrackerMetadata,
  type TrackerProject,
  TrackerRefusal,
} from '#trackers/issue.js';

type Call = 'describe' | 'find' | 'read' | 'create' | 'update' | 'changedSince';

/** What happens at a call: a failure before it takes effect, or after it. */
export interface Fault {
  readonly before?: Error | (() => Promise<unknown>);
  readonly after?: Error;
}

const PAGE = 50;
const STATUSES = ['New', 'In Progress', 'Closed', 'Rejected'];

/** A project of an issue tracker in memory, to test what runs do if a tracker fails at any point. */
export class MemoryTracker implements TrackerProject {
  readonly issues = new Map<string, TrackerIssue>();
  /** All calls, in order. */
  readonly calls: Call[] = [];
  /** Decides what happens at a call; by default nothing special. */
  fault: (call: Call) => Fault | undefined = () => undefined;
  required: string[] = [];
  private clock = Date.parse('2026-03-04T10:00:00.000Z');
  private last = 0;

  /** How often issues were written. */
  get writes(): number {
    return this.calls.filter((call) => call === 'create' || call === 'update').length;
  }

  /** A person changes an issue in the tracker. */
  edit(id: string, change: Partial<TrackerIssue>): void {
    const issue = this.issues.get(id);
    if (issue) this.issues.set(id, { ...issue, ...change, updated: this.now() });
  }

  private now(): Date {
    this.clock += 1000;
    return new Date(this.clock);
  }

  private async call<T>(name: Call, work: () => T): Promise<T> {
    this.calls.push(name);
    const { before, after } = this.fault(name) ?? {};
    if (before instanceof Error) throw before;
    await before?.();
    const result = work();
    await Promise.resolve();
    if (after) throw after;
    return result;
  }

  describe(): Promise<TrackerMetadata> {
    return this.call('describe', () => ({
      issueTypes: ['Bug', 'Task'],
      fields: this.required.map((id) => ({ id, name: id, required: true })),
      statuses: STATUSES,
      priorities: ['Major', 'Critical', 'Blocker'],
    }));
  }

  find(marker: string): Promise<TrackerIssue | undefined> {
    return this.call('find', () => Array.from(this.issues.values()).find(({ labels }) => labels.includes(marker)));
  }

  read(id: string): Promise<TrackerIssue | undefined> {
    return this.call('read', () => this.issues.get(id));
  }

  create({ title, text, priority, labels, fields, marker }: IssueDraft): Promise<TrackerIssue> {
    return this.call('create', () => {
      const missing = this.required.find((name) => fields[name] === undefined);
      if (missing !== undefined) throw new TrackerRefusal(`${missing} is required.`);
      this.last += 1;
      const issue: TrackerIssue = {
        id: String(1000 + this.last),
        key: `SHOP-${this.last}`,
        url: `https://tracker.example.com/SHOP-${this.last}`,
        project: 'SHOP',
        title,
        text,
        status: 'New',
        priority: priority ?? null,
        labels: [MERLON_LABEL, marker, ...labels],
        updated: this.now(),
      };
      this.issues.set(issue.id, issue);
      return issue;
    });
  }

  update(id: string, change: IssueChange): Promise<TrackerIssue> {
    return this.call('update', () => {
      const issue = this.issues.get(id);
      if (!issue) throw new TrackerRefusal('The issue does not exist.');
      const changed = { ...issue, ...change, updated: this.now() };
      this.issues.set(id, changed);
      return changed;
    });
  }

  changedSince(since: Date, page: string | undefined): Promise<IssuePage> {
    return this.call('changedSince', () => {
      const changed = Array.from(this.issues.values())
        .filter(
          ({ updated, labels, project }) => updated >= since && labels.includes(MERLON_LABEL) && project === 'SHOP',
        )
        .sort((one, other) => one.updated.getTime() - other.updated.getTime());
      const start = Number(page ?? 0);
      const end = start + PAGE;
      return { issues: changed.slice(start, end), next: end < changed.length ? String(end) : undefined };
    });
  }
}

/** A response that does not arrive. */
export const timeout = (): OutboundFailure => new OutboundFailure('timeout');
