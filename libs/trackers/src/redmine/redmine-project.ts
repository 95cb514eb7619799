import { z } from 'zod';

import { loadOnce } from '#platform/once.js';
import {
  type IssueChange,
  type IssueDraft,
  type IssuePage,
  MERLON_LABEL,
  type TrackerField,
  type TrackerIssue,
  type TrackerMetadata,
  type TrackerProject,
} from '../issue.js';
import { nextPage, placeOf } from '../pages.js';
import { moment, nothing, optionalText } from '../shapes.js';
import { checkedMarker, isSameName, trackerText, trackerTitle } from '../texts.js';
import { query, type TrackerRequests } from '../tracker-requests.js';
import { labelsIn, textIn, withLabels } from './label-line.js';

/** The maximum of Redmine. */
const PAGE_SIZE = 100;

/** Redmine stores and compares times to the second. */
const PRECISION_MILLISECONDS = 1000;

/** Fields that every Redmine has and a workflow may require, besides custom fields (`cf_7`). */
const STANDARD_FIELDS = new Set([
  'assigned_to_id',
  'category_id',
  'due_date',
  'estimated_hours',
  'fixed_version_id',
  'is_private',
  'parent_issue_id',
  'start_date',
]);

const CUSTOM_FIELD = /^cf_(\d{1,9})$/;

const item = z.object({ id: z.int(), name: z.string() });
const items = z.array(item);
type Item = z.output<typeof item>;

const issueShape = z.object({
  id: z.int(),
  project: item,
  status: item,
  priority: item.nullish(),
  subject: z.string(),
  description: optionalText,
  updated_on: moment,
  allowed_statuses: items.optional(),
});
type RedmineIssue = z.output<typeof issueShape>;

const oneIssue = z.object({ issue: issueShape });
const project = z.object({ project: z.object({ id: z.int() }) });
const details = z.object({ project: z.object({ trackers: items, issue_custom_fields: items.default([]) }) });
const customFields = z.object({
  custom_fields: z.array(
    item.extend({
      customized_type: z.string().nullish(),
      is_required: z.boolean().default(false),
      possible_values: z.array(z.object({ value: z.string() })).optional(),
      trackers: items.optional(),
    }),
  ),
});

/** The issues of a project of Redmine. Its issues have no labels: these are in the last line of the text. */
export class RedmineProject implements TrackerProject {
  private readonly projectId: () => Promise<number>;
  private readonly statuses: () => Promise<readonly Item[]>;
  private readonly priorities: () => Promise<readonly Item[]>;
  private readonly details: () => Promise<z.output<typeof details>['project']>;

  constructor(
    private readonly requests: TrackerRequests,
    private readonly key: string,
  ) {
    this.projectId = loadOnce(async () => (await requests.project(project)).project.id);
    this.details = loadOnce(async () => {
      const include = query({ include: 'trackers,issue_custom_fields' });
      const path = `/projects/${await this.projectId()}.json${include}`;
      return (await requests.send({ path, shape: details })).project;
    });
    this.statuses = loadOnce(async () => {
      const shape = z.object({ issue_statuses: items });
      return (await requests.send({ path: '/issue_statuses.json', shape })).issue_statuses;
    });
    this.priorities = loadOnce(async () => {
      const shape = z.object({ issue_priorities: items });
      return (await requests.send({ path: '/enumerations/issue_priorities.json', shape })).issue_priorities;
    });
  }

  async describe(issueType: string | undefined): Promise<TrackerMetadata> {
    const { trackers } = await this.details();
    if (issueType !== undefined) this.named('tracker', trackers, issueType);
    return {
      issueTypes: trackers.map(({ name }) => name),
      fields: await this.fieldsOf(issueType),
      statuses: (await this.statuses()).map(({ name }) => name),
      priorities: (await this.priorities()).map(({ name }) => name),
    };
  }

  async find(marker: string): Promise<TrackerIssue | undefined> {
    const found = await this.list({ description: `~${checkedMarker(marker)}` });
    const issue = found.find(({ description }) => labelsIn(description).includes(marker));
    return issue && this.shown(issue);
  }

  async read(id: string): Promise<TrackerIssue | undefined> {
    const issue = await this.issue(id);
    return issue && this.shown(issue);
  }

  async create(draft: IssueDraft): Promise<TrackerIssue> {
    const { type, priority, labels, marker } = draft;
    const custom = Object.entries(draft.fields).filter(([name]) => CUSTOM_FIELD.test(name));
    const standard = Object.entries(draft.fields).filter(([name]) => !CUSTOM_FIELD.test(name));
    const unknown = standard.find(([name]) => !STANDARD_FIELDS.has(name));
    if (unknown) throw this.requests.refusal(`has no field \`${unknown[0]}\`. Custom fields are named \`cf_7\`.`);
    const body = {
      issue: {
        ...Object.fromEntries(standard),
        project_id: await this.projectId(),
        subject: trackerTitle(draft.title),
        description: withLabels(trackerText(draft.text), [MERLON_LABEL, checkedMarker(marker), ...labels]),
        ...(type !== undefined && { tracker_id: this.named('tracker', (await this.details()).trackers, type).id }),
        ...(priority !== undefined && { priority_id: await this.priorityId(priority) }),
        custom_fields: custom.map(([name, value]) => ({ id: Number(name.slice('cf_'.length)), value })),
      },
    };
    return this.shown(
      (await this.requests.send({ method: 'POST', path: '/issues.json', body, shape: oneIssue })).issue,
    );
  }

  async update(id: string, change: IssueChange): Promise<TrackerIssue> {
    const before = await this.existing(id);
    const { title, text, status, priority } = change;
    const body = {
      issue: {
        ...(title !== undefined && { subject: trackerTitle(title) }),
        ...(text !== undefined && { description: withLabels(trackerText(text), labelsIn(before.description)) }),
        ...(status !== undefined && { status_id: await this.statusId(before, status) }),
        ...(priority !== undefined && { priority_id: await this.priorityId(priority) }),
      },
    };
    await this.requests.send({ method: 'PUT', path: `/issues/${before.id}.json`, body, shape: nothing });
    const after = await this.shown(await this.existing(id));
    // Redmine ignores what the workflow does not allow, and the priority of an issue that has subtasks.
    for (const field of ['status', 'priority'] as const) {
      const wanted = change[field];
      if (wanted !== undefined && !isSameName(after[field] ?? '', wanted))
        throw this.requests.refusal(`does not allow the ${field} \`${wanted}\` for issue ${after.key}.`);
    }
    return after;
  }

  async changedSince(since: Date, page: string | undefined): Promise<IssuePage> {
    const place = placeOf(since, page);
    const found = await this.list({
      description: `~${MERLON_LABEL}-`,
      updated_on: `>=${place.since.toISOString().replace(/\.\d+Z$/, 'Z')}`,
      sort: 'updated_on:asc,id:asc',
      offset: place.skipped,
    });
    const ours = found.filter(({ description }) => labelsIn(description).includes(MERLON_LABEL));
    const times = found.map(({ updated_on: updated }) => updated);
    return {
      issues: await Promise.all(ours.map((issue) => this.shown(issue))),
      next: nextPage(place, PAGE_SIZE, times, PRECISION_MILLISECONDS),
    };
  }

  private async issue(id: string): Promise<RedmineIssue | undefined> {
    // Without the project, 404 would not mean that the issue is gone.
    await this.projectId();
    if (!/^\d{1,15}$/.test(id)) return undefined;
    const path = `/issues/${id}.json${query({ include: 'allowed_statuses' })}`;
    return (await this.requests.find({ path, shape: oneIssue }))?.issue;
  }

  private async existing(id: string): Promise<RedmineIssue> {
    return this.requests.present(await this.issue(id));
  }

  private async list(filters: Readonly<Record<string, string | number>>): Promise<readonly RedmineIssue[]> {
    const scope = { project_id: await this.projectId(), subproject_id: '!*', status_id: '*', limit: PAGE_SIZE };
    const shape = z.object({ issues: z.array(issueShape) });
    return (await this.requests.send({ path: `/issues.json${query({ ...scope, ...filters })}`, shape })).issues;
  }

  private async shown(issue: RedmineIssue): Promise<TrackerIssue> {
    return {
      id: String(issue.id),
      key: `#${issue.id}`,
      url: `${this.requests.url}/issues/${issue.id}`,
      project: issue.project.id === (await this.projectId()) ? this.key : issue.project.name,
      title: issue.subject,
      text: textIn(issue.description),
      status: issue.status.name,
      priority: issue.priority?.name ?? null,
      labels: labelsIn(issue.description),
      updated: issue.updated_on,
    };
  }

  private named(what: string, list: readonly Item[], wanted: string): Item {
    const found = list.find(({ name }) => isSameName(name, wanted));
    if (found) return found;
    const names = list.map(({ name }) => name).join(', ');
    const text = `has no ${what} \`${wanted}\` here, but these: ${names}.`;
    throw what === 'tracker' ? this.requests.lack('issue_type', text) : this.requests.refusal(text);
  }

  private async statusId(issue: RedmineIssue, status: string): Promise<number> {
    const { id } = this.named('status', await this.statuses(), status);
    const allowed = issue.allowed_statuses;
    if (allowed && id !== issue.status.id && !allowed.some((one) => one.id === id))
      throw this.requests.refusal(`does not allow the status \`${status}\` after \`${issue.status.name}\`.`);
    return id;
  }

  private async priorityId(priority: string): Promise<number> {
    return this.named('priority', await this.priorities(), priority).id;
  }

  /**
   * The custom fields of a type. Only administrators see which of them are required; others see those that were chosen
   * for the project. Redmine does not say whether a field that was not chosen is in all projects: a value for a field
   * that the project lacks is ignored.
   */
  private async fieldsOf(type: string | undefined): Promise<readonly TrackerField[]> {
    const known = await this.requests.find({ path: '/custom_fields.json', shape: customFields }, [403, 404]);
    if (!known) {
      const { issue_custom_fields: chosen } = await this.details();
      return chosen.map(({ id, name }) => ({ id: `cf_${id}`, name, required: false }));
    }
    return known.custom_fields
      .filter(({ customized_type: of }) => of === 'issue')
      .filter(({ trackers }) => type === undefined || !trackers || trackers.some(({ name }) => isSameName(name, type)))
      .map(({ id, name, is_required: required, possible_values: values }) => ({
        id: `cf_${id}`,
        name,
        required,
        values: values?.map(({ value }) => value),
      }));
  }
}
