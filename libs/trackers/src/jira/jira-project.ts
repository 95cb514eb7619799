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
import { nothing } from '../shapes.js';
import { checkedMarker, isSameName, trackerText, trackerTitle } from '../texts.js';
import { query, type TrackerRequests } from '../tracker-requests.js';
import type { TrackerAccess } from '../tracker.js';
import { adfOf, markdownOf } from './adf.js';
import { fieldValue, isOwnField, valuesOf } from './jira-fields.js';
import {
  fieldsShape,
  ISSUE_FIELDS,
  issueShape,
  type JiraField,
  type JiraIssue,
  searchShape,
  statusesShape,
  transitionsShape,
  typesShape,
} from './jira-shapes.js';
import { jqlTime } from './jql-time.js';
import { wikiOf } from './wiki.js';

const PAGE_SIZE = 100;

/** JQL compares times to the minute. */
const PRECISION_MILLISECONDS = 60_000;

/** The type of new issues if none is chosen. */
const DEFAULT_TYPE = 'Task';

/** Cloud looks at so many issues directly, instead of in its index, which lags behind. */
const MAX_RECONCILED = 50;

/** The issues of a project of Jira. The id of an issue is its number, which stays if the issue is moved. */
export class JiraProject implements TrackerProject {
  private readonly isCloud: boolean;
  private readonly created: number[] = [];
  private readonly projectId: () => Promise<string>;
  private readonly timeZone: () => Promise<string | undefined>;

  constructor(
    private readonly requests: TrackerRequests,
    private readonly key: string,
    { email }: TrackerAccess,
  ) {
    this.isCloud = email !== undefined;
    this.projectId = loadOnce(async () => (await requests.project(z.object({ id: z.string() }))).id);
    this.timeZone = loadOnce(async () => {
      const shape = z.object({ timeZone: z.string().optional() });
      return (await requests.send({ path: '/myself', shape })).timeZone;
    });
  }

  async describe(issueType: string | undefined): Promise<TrackerMetadata> {
    const types = await this.types();
    const type = this.named(types, issueType ?? DEFAULT_TYPE);
    const fields = await this.fieldsOf(type.id);
    const path = `/project/${await this.projectId()}/statuses`;
    const statuses = (await this.requests.send({ path, shape: statusesShape })).find(({ name }) => name === type.name);
    return {
      issueTypes: types.map(({ name }) => name),
      fields: fields
        .filter(({ fieldId }) => !isOwnField(fieldId))
        .map(({ fieldId, name, required, hasDefaultValue, allowedValues }) => ({
          id: fieldId,
          name,
          required: required && !hasDefaultValue,
          values: allowedValues && valuesOf(allowedValues),
        })),
      statuses: statuses?.statuses.map(({ name }) => name) ?? [],
      priorities: valuesOf(fields.find(({ fieldId }) => fieldId === 'priority')?.allowedValues ?? []),
    };
  }

  /** The search of Jira Cloud may see an issue of another run only some seconds after it was created. */
  async find(marker: string): Promise<TrackerIssue | undefined> {
    const found = await this.search(`labels = "${checkedMarker(marker)}"`, { maxResults: 1 });
    const [issue] = found.issues;
    return issue && this.shown(issue);
  }

  async read(id: string): Promise<TrackerIssue | undefined> {
    const issue = await this.issue(id);
    return issue && this.shown(issue);
  }

  async create(draft: IssueDraft): Promise<TrackerIssue> {
    const { priority, labels, marker } = draft;
    const fields = {
      ...(await this.furtherFields(draft)),
      project: { id: await this.projectId() },
      issuetype: { name: draft.type ?? DEFAULT_TYPE },
      summary: trackerTitle(draft.title),
      description: this.textOf(draft.text),
      // A label of Jira is one word.
      labels: [MERLON_LABEL, checkedMarker(marker), ...labels].map((label) => label.trim().replaceAll(/\s+/g, '-')),
      ...(priority !== undefined && { priority: { name: priority } }),
    };
    const shape = z.object({ id: z.string() });
    const { id } = await this.requests.send({ method: 'POST', path: '/issue', body: { fields }, shape });
    this.created.push(Number(id));
    return this.shown(this.requests.present(await this.issue(id)));
  }

  async update(id: string, change: IssueChange): Promise<TrackerIssue> {
    const { title, text, status, priority } = change;
    const before = this.requests.present(await this.issue(id));
    const path = `/issue/${before.id}`;
    // Before anything is changed, so that a refusal leaves the issue as it was.
    const transition = status === undefined ? undefined : await this.transitionTo(before, status);
    const fields = {
      ...(title !== undefined && { summary: trackerTitle(title) }),
      ...(text !== undefined && { description: this.textOf(text) }),
      ...(priority !== undefined && { priority: { name: priority } }),
    };
    if (Object.keys(fields).length > 0)
      await this.requests.send({ method: 'PUT', path, body: { fields }, shape: nothing });
    if (transition !== undefined)
      await this.requests.send({
        method: 'POST',
        path: `${path}/transitions`,
        body: { transition: { id: transition } },
        shape: nothing,
      });
    return this.shown(this.requests.present(await this.issue(id)));
  }

  async changedSince(since: Date, page: string | undefined): Promise<IssuePage> {
    const place = this.isCloud ? { since, skipped: 0 } : placeOf(since, page);
    const time = jqlTime(place.since, await this.timeZone());
    const clause = `labels = "${MERLON_LABEL}" AND updated >= "${time}" ORDER BY updated ASC, key ASC`;
    const position = this.isCloud ? { ...(page !== undefined && { nextPageToken: page }) } : { startAt: place.skipped };
    const found = await this.search(clause, { maxResults: PAGE_SIZE, ...position });
    const times = found.issues.map(({ fields }) => fields.updated);
    return {
      issues: await Promise.all(found.issues.map((issue) => this.shown(issue))),
      next: this.isCloud
        ? (found.nextPageToken ?? undefined)
        : nextPage(place, found.maxResults ?? PAGE_SIZE, times, PRECISION_MILLISECONDS),
    };
  }

  /** Cloud has removed `/search`; Data Center has nothing else. */
  private async search(clause: string, options: object): Promise<z.output<typeof searchShape>> {
    const jql = `project = ${await this.projectId()} AND ${clause}`;
    const reconcileIssues = this.created.slice(-MAX_RECONCILED);
    return this.requests.send({
      method: 'POST',
      path: this.isCloud ? '/search/jql' : '/search',
      body: { jql, fields: ISSUE_FIELDS, ...options, ...(this.isCloud && { reconcileIssues }) },
      shape: searchShape,
    });
  }

  private async issue(id: string): Promise<JiraIssue | undefined> {
    // Without the project, 404 would not mean that the issue is gone.
    await this.projectId();
    if (!/^\d{1,15}$/.test(id)) return undefined;
    return this.requests.find({ path: `/issue/${id}${query({ fields: ISSUE_FIELDS.join(',') })}`, shape: issueShape });
  }

  private async types(): Promise<z.output<typeof typesShape>> {
    const path = `/issue/createmeta/${await this.projectId()}/issuetypes${query({ maxResults: 200 })}`;
    return this.requests.send({ path, shape: typesShape });
  }

  private async fieldsOf(typeId: string): Promise<readonly JiraField[]> {
    const path = `/issue/createmeta/${await this.projectId()}/issuetypes/${encodeURIComponent(typeId)}`;
    return this.requests.send({ path: path + query({ maxResults: 200 }), shape: fieldsShape });
  }

  private async furtherFields({ type, fields }: IssueDraft): Promise<object> {
    if (Object.keys(fields).length === 0) return {};
    const known = await this.fieldsOf(this.named(await this.types(), type ?? DEFAULT_TYPE).id);
    return Object.fromEntries(
      Object.entries(fields).map(([id, value]) => {
        const field = isOwnField(id) ? undefined : known.find(({ fieldId }) => fieldId === id);
        if (!field) throw this.requests.refusal(`has no field \`${id}\` for this type.`);
        return [id, fieldValue(field, value, this.isCloud)];
      }),
    );
  }

  /** The id of the transition to a status; undefined if the issue has it already. */
  private async transitionTo(issue: JiraIssue, status: string): Promise<string | undefined> {
    const current = issue.fields.status.name;
    if (isSameName(current, status)) return undefined;
    const path = `/issue/${issue.id}/transitions${query({ expand: 'transitions.fields' })}`;
    const { transitions } = await this.requests.send({ path, shape: transitionsShape });
    const ways = transitions
      .filter(({ to }) => isSameName(to.name, status))
      .map(({ id, fields }) => ({
        id,
        missing: Object.values(fields).filter(({ required, hasDefaultValue }) => required && !hasDefaultValue),
      }));
    const way = ways.find(({ missing }) => missing.length === 0);
    if (way) return way.id;
    if (ways[0]) {
      const names = ways[0].missing.map(({ name }) => name).join(', ');
      throw this.requests.refusal(`needs fields for the status \`${status}\`: ${names}. Change the status there.`);
    }
    const targets = transitions.map(({ to }) => to.name).join(', ');
    throw this.requests.refusal(`does not allow the status \`${status}\` after \`${current}\`, but these: ${targets}.`);
  }

  private textOf(text: string): unknown {
    return this.isCloud ? adfOf(trackerText(text)) : wikiOf(trackerText(text));
  }

  private async shown({ id, key, fields }: JiraIssue): Promise<TrackerIssue> {
    const { description, project } = fields;
    return {
      id,
      key,
      url: `${this.requests.url}/browse/${key}`,
      project: project.id === (await this.projectId()) ? this.key : project.key,
      title: fields.summary,
      text: typeof description === 'string' ? description.replaceAll('\r\n', '\n') : markdownOf(description),
      status: fields.status.name,
      priority: fields.priority?.name ?? null,
      labels: fields.labels,
      updated: fields.updated,
    };
  }

  private named(types: z.output<typeof typesShape>, wanted: string): z.output<typeof typesShape>[number] {
    const found = types.find(({ name }) => isSameName(name, wanted));
    if (found) return found;
    const names = types.map(({ name }) => name).join(', ');
    throw this.requests.lack('issue_type', `has no issue type \`${wanted}\` here, but these: ${names}.`);
  }
}
