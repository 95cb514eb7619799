import { z } from 'zod';

import { loadOnce } from '#platform/once.js';
import {
  type IssueChange,
  type IssueDraft,
  type IssuePage,
  MERLON_LABEL,
  type TrackerIssue,
  type TrackerMetadata,
  type TrackerProject,
} from '../issue.js';
import { nextPage, placeOf } from '../pages.js';
import { moment, optionalText } from '../shapes.js';
import { checkedMarker, isSameName, trackerText, trackerTitle } from '../texts.js';
import { query, type TrackerRequests } from '../tracker-requests.js';

/** The maximum of GitLab. */
const PAGE_SIZE = 100;

const PRECISION_MILLISECONDS = 1;

/** What an issue can be, and the event that leads there. */
const EVENTS: ReadonlyMap<string, string> = new Map([
  ['opened', 'reopen'],
  ['closed', 'close'],
]);

const ISSUE_TYPES = ['issue', 'incident', 'task'];

/** A marker among labels. */
const isMarker = (label: string): boolean => label.startsWith(`${MERLON_LABEL}-`);

const issueShape = z.object({
  id: z.int(),
  iid: z.int(),
  project_id: z.int(),
  title: z.string(),
  description: optionalText,
  state: z.string(),
  labels: z.array(z.string()),
  web_url: z.string(),
  references: z.object({ full: z.string() }),
  moved_to_id: z.int().nullish(),
  updated_at: moment,
});
type GitLabIssue = z.output<typeof issueShape>;
const issues = z.array(issueShape);

const idOf = ({ project_id: project, iid }: GitLabIssue): string => `${project}/${iid}`;

/** A text in which no line is a quick action: GitLab would execute a line such as `/close`. */
const withoutQuickActions = (text: string): string => trackerText(text).replaceAll(/^([ \t]*)\//gm, String.raw`$1\/`);

/** The opposite. */
const original = (text: string): string => text.replaceAll('\r\n', '\n').replaceAll(/^([ \t]*)\\\//gm, '$1/');

/**
 * The issues of a project of GitLab. The id of an issue consists of the number of the project, which stays if it is
 * renamed, and the number of the issue in it: only administrators may read an issue by its own number.
 */
export class GitLabProject implements TrackerProject {
  private readonly projectId: () => Promise<number>;

  constructor(
    private readonly requests: TrackerRequests,
    private readonly key: string,
  ) {
    this.projectId = loadOnce(async () => (await requests.project(z.object({ id: z.int() }))).id);
  }

  async describe(issueType: string | undefined): Promise<TrackerMetadata> {
    await this.projectId();
    this.typeOf(issueType);
    return { issueTypes: ISSUE_TYPES, fields: [], statuses: [...EVENTS.keys()], priorities: [] };
  }

  async find(marker: string): Promise<TrackerIssue | undefined> {
    const found = await this.list({ labels: checkedMarker(marker), per_page: PAGE_SIZE });
    const [issue] = found.filter(({ moved_to_id: target }) => typeof target !== 'number');
    return issue && this.shown(issue);
  }

  async read(id: string): Promise<TrackerIssue | undefined> {
    const path = await this.pathOf(id);
    const issue = path === undefined ? undefined : await this.requests.find({ path, shape: issueShape });
    const current = issue && (await this.followed(issue));
    return current && this.shown(current, id);
  }

  async create(draft: IssueDraft): Promise<TrackerIssue> {
    this.assertNothingElse(draft);
    const labels = [MERLON_LABEL, checkedMarker(draft.marker), ...draft.labels];
    const body = {
      title: trackerTitle(draft.title),
      description: withoutQuickActions(draft.text),
      labels: labels.map((label) => label.replaceAll(',', ' ')).join(','),
      ...(draft.type !== undefined && { issue_type: this.typeOf(draft.type) }),
    };
    const path = `/projects/${await this.projectId()}/issues`;
    return this.shown(await this.requests.send({ method: 'POST', path, body, shape: issueShape }));
  }

  async update(id: string, change: IssueChange): Promise<TrackerIssue> {
    this.assertNothingElse(change);
    const { title, text, status } = change;
    const event = status === undefined ? undefined : EVENTS.get(status);
    if (status !== undefined && event === undefined)
      throw this.requests.refusal(`has no status \`${status}\`, but these: ${[...EVENTS.keys()].join(', ')}.`);
    const path = await this.pathOf(id);
    const body = {
      ...(title !== undefined && { title: trackerTitle(title) }),
      ...(text !== undefined && { description: withoutQuickActions(text) }),
      ...(event !== undefined && { state_event: event }),
    };
    const changed =
      path === undefined ? undefined : await this.requests.find({ method: 'PUT', path, body, shape: issueShape });
    return this.shown(this.requests.present(changed), id);
  }

  async changedSince(since: Date, page: string | undefined): Promise<IssuePage> {
    const place = placeOf(since, page);
    const found = await this.list({
      labels: MERLON_LABEL,
      updated_after: place.since.toISOString(),
      order_by: 'updated_at',
      sort: 'asc',
      per_page: PAGE_SIZE,
      page: place.skipped / PAGE_SIZE + 1,
    });
    const times = found.map(({ updated_at: updated }) => updated);
    return {
      issues: await Promise.all(
        found.map(async (issue) => this.shown((await this.followed(issue)) ?? issue, idOf(issue))),
      ),
      next: nextPage(place, PAGE_SIZE, times, PRECISION_MILLISECONDS),
    };
  }

  private async list(parameters: Readonly<Record<string, string | number>>): Promise<readonly GitLabIssue[]> {
    return this.requests.send({
      path: `/projects/${await this.projectId()}/issues${query(parameters)}`,
      shape: issues,
    });
  }

  private async pathOf(id: string): Promise<string | undefined> {
    const [, projectId, number] = /^(\d{1,15})\/(\d{1,15})$/.exec(id) ?? [];
    // Without the project, 404 would not mean that the issue is gone.
    await this.projectId();
    return projectId === undefined ? undefined : `/projects/${projectId}/issues/${number}`;
  }

  /** GitLab moves an issue by copying and closing it. The copy has the same labels, so also the marker. */
  private async followed(issue: GitLabIssue): Promise<GitLabIssue | undefined> {
    const { moved_to_id: target, labels } = issue;
    if (typeof target !== 'number') return issue;
    const marker = labels.find(isMarker);
    if (marker === undefined) return undefined;
    const path = `/issues${query({ scope: 'all', labels: marker, per_page: PAGE_SIZE })}`;
    return (await this.requests.send({ path, shape: issues })).find(({ id }) => id === target);
  }

  private async shown(issue: GitLabIssue, id = idOf(issue)): Promise<TrackerIssue> {
    const hasMoved = typeof issue.moved_to_id === 'number';
    const isHere = issue.project_id === (await this.projectId());
    const otherProject = hasMoved ? 'a project that the token may not see' : issue.references.full.split('#')[0];
    return {
      id,
      key: `#${issue.iid}`,
      url: issue.web_url,
      project: isHere && !hasMoved ? this.key : (otherProject ?? ''),
      title: issue.title,
      text: original(issue.description),
      status: issue.state,
      priority: null,
      labels: issue.labels,
      updated: issue.updated_at,
    };
  }

  private typeOf(type: string | undefined): string | undefined {
    const known = type === undefined ? undefined : ISSUE_TYPES.find((one) => isSameName(one, type));
    if (type !== undefined && known === undefined)
      throw this.requests.lack('issue_type', `has no issue type \`${type}\`, but these: ${ISSUE_TYPES.join(', ')}.`);
    return known;
  }

  /** Refuses what issues of GitLab do not have. */
  private assertNothingElse({ priority, fields }: Partial<Pick<IssueDraft, 'priority' | 'fields'>>): void {
    if (priority !== undefined) throw this.requests.refusal('has no priorities.');
    const [field] = Object.keys(fields ?? {});
    if (field !== undefined) throw this.requests.refusal(`has no field \`${field}\`.`);
  }
}
