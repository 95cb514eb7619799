/** A field of a tracker's issues that a person may have to fill in. */
export interface TrackerField {
  /** The name under which a value is sent. */
  readonly id: string;
  /** Its name for people. */
  readonly name: string;
  readonly required: boolean;
  /** The allowed values; undefined if any text is allowed. */
  readonly values?: readonly string[] | undefined;
}

/** What a project of a tracker offers for new issues. */
export interface TrackerMetadata {
  readonly issueTypes: readonly string[];
  /**
   * Fields of the given issue type, without those that this library fills in itself (title, text, labels, priority).
   */
  readonly fields: readonly TrackerField[];
  readonly statuses: readonly string[];
  /** Empty if the tracker has no priorities. */
  readonly priorities: readonly string[];
}

/** An issue, as a tracker returns it. */
export interface TrackerIssue {
  /** The tracker's immutable id of the issue. */
  readonly id: string;
  /** What people call it, such as `SEC-12`. It changes if the issue is moved. */
  readonly key: string;
  /** Where people read it. */
  readonly url: string;
  /** The key of the project that it is in now. */
  readonly project: string;
  readonly title: string;
  readonly text: string;
  readonly status: string;
  readonly priority: string | null;
  readonly labels: readonly string[];
  /** When it last changed, by the tracker's clock. */
  readonly updated: Date;
}

/** A new issue. Its text is Markdown; an adapter turns it into the format of its tracker. */
export interface IssueDraft {
  readonly type: string | undefined;
  readonly title: string;
  readonly text: string;
  readonly priority: string | undefined;
  readonly labels: readonly string[];
  /** Further fields by id, as in `TrackerField`. */
  readonly fields: Readonly<Record<string, string>>;
  /** The label that identifies the issue, such as `merlon-3f2a…`: letters, digits and hyphens, at most 50. */
  readonly marker: string;
}

/** What to change in an issue; what is absent stays as it is. */
export interface IssueChange {
  readonly title?: string;
  readonly text?: string;
  readonly status?: string;
  readonly priority?: string;
}

/** One page of issues. */
export interface IssuePage {
  readonly issues: readonly TrackerIssue[];
  /** What to pass for the next page; undefined after the last one. */
  readonly next: string | undefined;
}

/**
 * The issues of one project of a tracker.
 *
 * Every method throws an `OutboundFailure` if there is no response, a `TrackerBusy` if the tracker asks for patience
 * (429, or 503 with `Retry-After`), and a `TrackerRefusal` with a reason for people if it refuses.
 */
export interface TrackerProject {
  /** What the project offers for new issues of a type. */
  readonly describe: (issueType: string | undefined) => Promise<TrackerMetadata>;
  /** The issue with a marker, or undefined. It finds an issue that was created a moment ago. */
  readonly find: (marker: string) => Promise<TrackerIssue | undefined>;
  /** The issue with an id, wherever it is now; undefined if it does not exist any more. */
  readonly read: (id: string) => Promise<TrackerIssue | undefined>;
  /** Creates an issue. It is not repeated on failure. */
  readonly create: (draft: IssueDraft) => Promise<TrackerIssue>;
  /** Changes an issue: a status by the transition that leads to it. */
  readonly update: (id: string, change: IssueChange) => Promise<TrackerIssue>;
  /**
   * A page of the issues with a label `merlon` that changed at or after a time, oldest change first. At least 50 for a
   * request.
   */
  readonly changedSince: (since: Date, page: string | undefined) => Promise<IssuePage>;
}

/** A tracker asks for patience. */
export class TrackerBusy extends Error {
  override readonly name = 'TrackerBusy';

  /** @param seconds how long to wait */
  constructor(readonly seconds: number) {
    super(`The tracker asks to wait for ${seconds} s.`);
  }
}

/** A tracker refuses a request. */
export class TrackerRefusal extends Error {
  override readonly name = 'TrackerRefusal';
}

/** A tracker does not have the project, or the type of issues, that a connection names. */
export class TrackerLacks extends TrackerRefusal {
  constructor(
    readonly what: 'project_key' | 'issue_type',
    message: string,
  ) {
    super(message);
  }
}

/** The label of all issues that Merlon created, next to their marker. */
export const MERLON_LABEL = 'merlon';
