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
import { checkedMarker, trackerText, trackerTitle } from '../texts.js';
import { query, type TrackerRequests } from '../tracker-requests.js';

/** The maximum of GitHub. */
const PAGE_SIZE = 100;

/** GitHub compares times to the second. */
const PRECISION_MILLISECONDS = 1000;

/** What an issue can be, and how it gets there: a closed issue has a reason. */
const CHANGES: ReadonlyMap<string, object> = new Map([
  ['open', { state: 'open' }],
  ['closed', { state: 'closed', state_reason: 'completed' }],
  ['not_planned', { state: 'closed', state_reason: 'not_planned' }],
  ['duplicate', { state: 'closed', state_reason: 'duplicate' }],
]);

const issueShape = z.object({
  number: z.int(),
  title: z.string(),
  body: optionalText,
  state: z.enum(['open', 'closed']),
  state_reason: z.string().nullish(),
  labels: z.array(z.union([z.string(), z.object({ name: z.string() })])),
  html_url: z.string(),
  repository_url: z.string(),
  updated_at: moment,
  pull_request: z.unknown().optional(),
});
type GitHubIssue = z.output<typeof issueShape>;
const issues = z.array(issueShape);

const repository = z.object({
  id: z.int(),
  full_name: z.string(),
  permissions: z.object({ push: z.boolean() }).optional(),
});

/** The status that people see: the reason why an issue is closed, if it is not that it was completed. */
function statusOf({ state, state_reason: reason }: GitHubIssue): string {
  return state === 'closed' && typeof reason === 'string' && CHANGES.has(reason) ? reason : state;
}

/**
 * The issues of a repository. The id of an issue consists of the number of the repository, which stays if it is
 * renamed, and the number of the issue, from which GitHub redirects if it is transferred.
 */
export class GitHubProject implements TrackerProject {
  private readonly repository: () => Promise<z.output<typeof repository>>;

  constructor(
    private readonly requests: TrackerRequests,
    private readonly key: string,
  ) {
    this.repository = loadOnce(async () => {
      const found = await requests.project(repository);
      // GitHub creates the issue then, but drops its labels without a word: no later search would find it.
      if (found.permissions?.push === false)
        throw requests.refusal('lets only users with write access set labels. Give the user of the token that access.');
      return found;
    });
  }

  async describe(issueType: string | undefined): Promise<TrackerMetadata> {
    await this.repository();
    this.assertNothingElse({ type: issueType });
    return { issueTypes: [], fields: [], statuses: [...CHANGES.keys()], priorities: [] };
  }

  async find(marker: string): Promise<TrackerIssue | undefined> {
    const [issue] = await this.list({ labels: checkedMarker(marker), per_page: 1 });
    return issue && this.shown(issue);
  }

  async read(id: string): Promise<TrackerIssue | undefined> {
    const path = await this.pathOf(id);
    const issue = path === undefined ? undefined : await this.requests.find({ path, shape: issueShape });
    return issue && !issue.pull_request ? this.shown(issue, id) : undefined;
  }

  async create(draft: IssueDraft): Promise<TrackerIssue> {
    this.assertNothingElse(draft);
    const body = {
      title: trackerTitle(draft.title),
      body: trackerText(draft.text),
      labels: [MERLON_LABEL, checkedMarker(draft.marker), ...draft.labels],
    };
    return this.shown(
      await this.requests.send({ method: 'POST', path: await this.listPath(), body, shape: issueShape }),
    );
  }

  async update(id: string, change: IssueChange): Promise<TrackerIssue> {
    const { title, text, status } = change;
    this.assertNothingElse(change);
    const path = await this.pathOf(id);
    const state = status === undefined ? {} : CHANGES.get(status);
    if (!state)
      throw this.requests.refusal(`has no status \`${status}\`, but these: ${[...CHANGES.keys()].join(', ')}.`);
    const body = {
      ...(title !== undefined && { title: trackerTitle(title) }),
      ...(text !== undefined && { body: trackerText(text) }),
      ...state,
    };
    const changed =
      path === undefined ? undefined : await this.requests.find({ method: 'PATCH', path, body, shape: issueShape });
    return this.shown(this.requests.present(changed), id);
  }

  async changedSince(since: Date, page: string | undefined): Promise<IssuePage> {
    const place = placeOf(since, page);
    const found = await this.list({
      labels: MERLON_LABEL,
      since: place.since.toISOString(),
      sort: 'updated',
      direction: 'asc',
      per_page: PAGE_SIZE,
      page: place.skipped / PAGE_SIZE + 1,
    });
    const times = found.map(({ updated_at: updated }) => updated);
    return {
      issues: await Promise.all(found.filter((issue) => !issue.pull_request).map((issue) => this.shown(issue))),
      next: nextPage(place, PAGE_SIZE, times, PRECISION_MILLISECONDS),
    };
  }

  private async listPath(): Promise<string> {
    return `/repos/${(await this.repository()).full_name}/issues`;
  }

  private async list(parameters: Readonly<Record<string, string | number>>): Promise<readonly GitHubIssue[]> {
    const path = `${await this.listPath()}${query({ state: 'all', ...parameters })}`;
    return this.requests.send({ path, shape: issues });
  }

  private async pathOf(id: string): Promise<string | undefined> {
    const [, repositoryId, number] = /^(\d{1,15})\/(\d{1,15})$/.exec(id) ?? [];
    const configured = await this.repository();
    if (repositoryId === undefined || number === undefined) return undefined;
    const isHere = repositoryId === String(configured.id);
    return isHere ? `${await this.listPath()}/${number}` : `/repositories/${repositoryId}/issues/${number}`;
  }

  private async shown(issue: GitHubIssue, id?: string): Promise<TrackerIssue> {
    const { id: repositoryId, full_name: fullName } = await this.repository();
    const where = issue.repository_url.split('/').slice(-2).join('/');
    return {
      id: id ?? `${repositoryId}/${issue.number}`,
      key: `#${issue.number}`,
      url: issue.html_url,
      project: where.toLowerCase() === fullName.toLowerCase() ? this.key : where,
      title: issue.title,
      text: issue.body.replaceAll('\r\n', '\n'),
      status: statusOf(issue),
      priority: null,
      labels: issue.labels.map((label) => (typeof label === 'string' ? label : label.name)),
      updated: issue.updated_at,
    };
  }

  /** Refuses what issues of GitHub do not have. */
  private assertNothingElse({
    type,
    priority,
    fields,
  }: Partial<Pick<IssueDraft, 'type' | 'priority' | 'fields'>>): void {
    if (type !== undefined) throw this.requests.lack('issue_type', 'has no issue types here. Leave the type empty.');
    if (priority !== undefined) throw this.requests.refusal('has no priorities.');
    const [field] = Object.keys(fields ?? {});
    if (field !== undefined) throw this.requests.refusal(`has no field \`${field}\`.`);
  }
}
