import { createHash } from 'node:crypto';
import type { TrackerIssue } from '#trackers/issue.js';
import { trackerTitle } from '#trackers/texts.js';
import { defaultPriority } from '../tracker-connection/tracker-connection.rules.js';
import type { SeenIssue, Wanted } from './compare.js';

/** A countermeasure of a project that is synchronised. */
export interface SyncedCountermeasure {
  /** The internal id. */
  readonly identity: number;
  /** For example, `1-T2`. */
  readonly id: string;
  /** For example, `T2`. */
  readonly taskId: string;
  readonly title: string;
  readonly text: string;
  readonly priority: number;
  readonly status: string;
  /** In milliseconds since 1970. */
  readonly statusChanged: number;
  /** Why it is in the project, in one sentence. */
  readonly reason: string;
}

/** How a connection writes issues. */
export interface IssueForm {
  readonly titleFormat: string;
  readonly priorityMap: Readonly<Record<string, string>>;
}

/** Trackers limit the texts of issues: Jira to 32,767 characters. */
const MAX_TEXT_LENGTH = 30_000;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22);

/** At most `maximum` Unicode code points. */
export function shortened(text: string, maximum: number): string {
  const characters = Array.from(text);
  return characters.length > maximum ? `${characters.slice(0, maximum - 1).join('')}…` : text;
}

const titleOf = ({ taskId, title }: SyncedCountermeasure, format: string): string => {
  const values: Readonly<Record<string, string>> = { task_id: taskId, title };
  return trackerTitle(format.replace(/\$(task_id|title)/g, (_, name: string) => values[name] ?? ''));
};

/** The text says what to do and how to verify it, why it applies, and where to find it. */
const textOf = ({ id, text, reason }: SyncedCountermeasure, origin: string): string =>
  [
    shortened(text.trim(), MAX_TEXT_LENGTH),
    `**Why it applies.** ${reason}`,
    `[Open ${id} in Merlon](${origin}/projects/${id.split('-')[0]}/tasks/${id})`,
  ].join('\n\n');

/**
 * A countermeasure as its issue should show it.
 *
 * @param origin the public origin of the service, for the link back
 */
export function wantedIssue(countermeasure: SyncedCountermeasure, form: IssueForm, origin: string): Wanted {
  const { priority, status, statusChanged } = countermeasure;
  const body = textOf(countermeasure, origin);
  return {
    status,
    statusChanged,
    title: titleOf(countermeasure, form.titleFormat),
    body,
    text: hashOf(body),
    priority: form.priorityMap[priority] ?? defaultPriority(priority),
  };
}

/** What is remembered of an issue. */
export const seenIssue = ({ status, title, text, priority, updated, project }: TrackerIssue): SeenIssue => ({
  status,
  title,
  text: hashOf(text),
  priority,
  updated: updated.toISOString(),
  project,
});
