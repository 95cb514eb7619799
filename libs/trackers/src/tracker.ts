/** How to reach an issue tracker. */
export interface TrackerAccess {
  /** Where users open it in a browser, without a slash at the end. */
  readonly url: string;
  readonly token: string;
  /** The user of the token, if the tracker needs one. */
  readonly email?: string | undefined;
}

/** A JSON object that a tracker returned. */
export type TrackerBody = Readonly<Record<string, unknown>>;

/** What is particular to the REST API of one issue tracker. */
export interface Tracker {
  /** Its name, as users know it. */
  readonly name: string;
  /** The URL that all paths follow. */
  readonly apiOf: (access: TrackerAccess) => string;
  /** Headers that authenticate a request. */
  readonly headersOf: (access: TrackerAccess) => Readonly<Record<string, string>>;
  /** A path that only a valid token may read. */
  readonly accountPath: string;
  /** Whether a response for that path is from this tracker. */
  readonly isAccount: (body: TrackerBody) => boolean;
  /** Whether a key has the form that projects have there, if there is one. */
  readonly isKey?: (key: string) => boolean;
  /** The path of a project or repository. */
  readonly projectPath: (key: string) => string;
  /** Whether a response for that path is from this tracker. */
  readonly isProject: (body: TrackerBody) => boolean;
  /** Whether a project has no issues. */
  readonly hasNoIssues: (project: TrackerBody) => boolean;
}

/** The credentials of HTTP's Basic authentication. */
export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** Whether a key names a project: parts such as `..` would lead to other paths of the API. */
export const isProjectKey = ({ isKey }: Tracker, key: string): boolean =>
  key.split('/').every((part) => !['', '.', '..'].includes(part)) && (isKey?.(key) ?? true);

/** The headers of every request to a tracker. */
export const requestHeaders = (tracker: Tracker, access: TrackerAccess): Readonly<Record<string, string>> => ({
  Accept: 'application/json',
  'User-Agent': 'Merlon',
  ...tracker.headersOf(access),
});
