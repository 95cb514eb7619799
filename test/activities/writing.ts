import type { TestApi } from '../support/api.js';
import type { Answer } from '../support/client.js';

/** An activity according to the table of the specification. */
export interface ExpectedActivity {
  readonly name: string;
  /** Keys of its data, without those ending in `_desc`. */
  readonly data: readonly string[];
  readonly icon: string;
  readonly level: 'user' | 'admin';
}

/** A writing operation of the document, with the activities that it must record. */
export interface Writing {
  /** As in the document, without `/api/v2`: `POST /library/tasks/`. */
  readonly operation: string;
  /** The special feature of this request, if the table contains its operation several times. */
  readonly when?: string;
  readonly activities: readonly ExpectedActivity[];
  /** Whether the change may cause other activities too, such as those of a project's content. */
  readonly following?: boolean;
  /** Whether someone else than the organization's administrator makes it, such as the service. */
  readonly byOthers?: boolean;
  /** Creates what the request needs; returns the request, which makes a single change. */
  readonly prepare: (test: TestApi) => Promise<() => Promise<Answer<unknown>>>;
}

/** Creates expected activities with the same icon, level and keys of the data. */
export const expectingActivities =
  (icon: string, level: 'user' | 'admin', ...data: readonly string[]) =>
  (name: string, ...further: readonly string[]): ExpectedActivity => ({
    name,
    data: [...data, ...further],
    icon,
    level,
  });
