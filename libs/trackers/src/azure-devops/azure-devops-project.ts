import { z } from 'zod';

import { loadOnce } from '#platform/once.js';
import { markdownRenderer } from '#platform/markdown/markdown.js';
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
import { query, type TrackerRequest, type TrackerRequests } from '../tracker-requests.js';
import { textOfHtml } from './html-text.js';

const VERSION = { 'api-version': '7.0' };

const PAGE_SIZE = 100;

const PRECISION_MILLISECONDS = 1;

/** The type of new work items if none is chosen: all processes of Azure DevOps have it. */
const DEFAULT_TYPE = 'Task';

const TITLE = 'System.Title';
const DESCRIPTION = 'System.Description';
const STATE = 'System.State';
const PRIORITY = 'Microsoft.VSTS.Common.Priority';
const TAGS = 'System.Tags';

/** Fields that the adapter or Azure DevOps itself fills in. */
const OWN_FIELDS = new Set([TITLE, DESCRIPTION, STATE, PRIORITY, TAGS]);
const SYSTEM_FIELDS = new Set(['System.AreaId', 'System.IterationId', 'System.AreaPath', 'System.IterationPath']);

const itemShape = z.object({
  id: z.int(),
  fields: z.object({
    [TITLE]: z.string(),
    [DESCRIPTION]: optionalText,
    [STATE]: z.string(),
    [PRIORITY]: z.number().nullish(),
    [TAGS]: optionalText,
    'System.TeamProject': z.string(),
    'System.ChangedDate': moment,
  }),
});
type WorkItem = z.output<typeof itemShape>;

const FIELDS = Object.keys(itemShape.shape.fields.shape);

const listOf = <Item>(item: z.ZodType<Item>) => z.object({ value: z.array(item) });
const named = z.object({ name: z.string() });
const fieldShape = z.object({
  name: z.string(),
  referenceName: z.string(),
  alwaysRequired: z.boolean().default(false),
  defaultValue: z.unknown().optional(),
  allowedValues: z.array(z.union([z.string(), z.number()])).default([]),
});

/** Foreign images would load in the browsers of the tracker's users, so they become links. */
const htmlOf = markdownRenderer([]);

/** The description of a work item is HTML. */
const descriptionOf = (text: string): string => htmlOf(trackerText(text));

const tagsOf = ({ fields }: WorkItem): readonly string[] =>
  fields[TAGS]
    .split(';')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');

/** The work items of a project of Azure DevOps. Their ids stay if they are moved. */
export class AzureDevOpsProject implements TrackerProject {
  private readonly project: () => Promise<{ readonly id: string; readonly name: string }>;

  constructor(
    private readonly requests: TrackerRequests,
    private readonly key: string,
  ) {
    this.project = loadOnce(() => requests.project(z.object({ id: z.string(), name: z.string() })));
  }

  async describe(issueType: string | undefined): Promise<TrackerMetadata> {
    const types = (await this.inProject({ path: '/wit/workitemtypes', shape: listOf(named) })).value;
    const wanted = issueType ?? DEFAULT_TYPE;
    const type = types.find(({ name }) => isSameName(name, wanted));
    const names = types.map(({ name }) => name);
    if (!type)
      throw this.requests.lack('issue_type', `has no type \`${wanted}\` here, but these: ${names.join(', ')}.`);
    const path = `/wit/workitemtypes/${encodeURIComponent(type.name)}`;
    const { value: states } = await this.inProject({ path: `${path}/states`, shape: listOf(named) });
    const expand = { $expand: 'allowedValues' };
    const { value: fields } = await this.inProject({ path: `${path}/fields`, shape: listOf(fieldShape) }, expand);
    return {
      issueTypes: names,
      // Of some hundred fields, most belong to Azure DevOps itself.
      fields: fields
        .filter(({ referenceName }) => !OWN_FIELDS.has(referenceName) && !SYSTEM_FIELDS.has(referenceName))
        .filter(({ referenceName, alwaysRequired }) => alwaysRequired || !referenceName.startsWith('System.'))
        .map(({ referenceName, name, alwaysRequired, defaultValue, allowedValues }) => ({
          id: referenceName,
          name,
          required: alwaysRequired && (defaultValue === undefined || defaultValue === null),
          values: allowedValues.length > 0 ? allowedValues.map(String) : undefined,
        })),
      statuses: states.map(({ name }) => name),
      priorities: fields.find(({ referenceName }) => referenceName === PRIORITY)?.allowedValues.map(String) ?? [],
    };
  }

  async find(marker: string): Promise<TrackerIssue | undefined> {
    const ids = await this.search(`[${TAGS}] CONTAINS '${checkedMarker(marker)}'`, PAGE_SIZE);
    const item = (await this.items(ids)).find((one) => tagsOf(one).includes(marker));
    return item && this.shown(item);
  }

  async read(id: string): Promise<TrackerIssue | undefined> {
    const path = await this.pathOf(id);
    const asked = query({ fields: FIELDS.join(','), ...VERSION });
    const item = path === undefined ? undefined : await this.requests.find({ path: path + asked, shape: itemShape });
    return item && this.shown(item);
  }

  async create(draft: IssueDraft): Promise<TrackerIssue> {
    const own = Object.keys(draft.fields).find((field) => OWN_FIELDS.has(field) || field.includes('/'));
    if (own !== undefined) throw this.requests.refusal(`does not accept the field \`${own}\` here.`);
    const tags = [MERLON_LABEL, checkedMarker(draft.marker), ...draft.labels];
    const values = {
      ...draft.fields,
      [TITLE]: trackerTitle(draft.title),
      [DESCRIPTION]: descriptionOf(draft.text),
      [TAGS]: tags.map((tag) => tag.replaceAll(/[;,]/g, ' ')).join('; '),
      ...(draft.priority !== undefined && { [PRIORITY]: this.priorityOf(draft.priority) }),
    };
    const path = `/wit/workitems/$${encodeURIComponent(draft.type ?? DEFAULT_TYPE)}`;
    return this.shown(await this.inProject({ method: 'POST', path, ...patchOf(values), shape: itemShape }));
  }

  async update(id: string, change: IssueChange): Promise<TrackerIssue> {
    const { title, text, status, priority } = change;
    const values = {
      ...(title !== undefined && { [TITLE]: trackerTitle(title) }),
      ...(text !== undefined && { [DESCRIPTION]: descriptionOf(text) }),
      ...(status !== undefined && { [STATE]: status }),
      ...(priority !== undefined && { [PRIORITY]: this.priorityOf(priority) }),
    };
    const path = await this.pathOf(id);
    const request = { method: 'PATCH', ...patchOf(values), shape: itemShape } as const;
    const changed =
      path === undefined ? undefined : await this.requests.find({ ...request, path: path + query(VERSION) });
    return this.shown(this.requests.present(changed));
  }

  async changedSince(since: Date, page: string | undefined): Promise<IssuePage> {
    const place = placeOf(since, page);
    const time = place.since.toISOString();
    const clause = `[${TAGS}] CONTAINS '${MERLON_LABEL}' AND [System.ChangedDate] >= '${time}'`;
    // WIQL can't skip, so that what was read already is asked for again: ids only.
    const ids = (await this.search(clause, place.skipped + PAGE_SIZE)).slice(place.skipped);
    const items = (await this.items(ids)).toSorted(
      (one, other) => one.fields['System.ChangedDate'].getTime() - other.fields['System.ChangedDate'].getTime(),
    );
    const ours = items.filter((item) => tagsOf(item).includes(MERLON_LABEL));
    const times = items.map(({ fields }) => fields['System.ChangedDate']);
    return {
      issues: await Promise.all(ours.map((item) => this.shown(item))),
      next: nextPage(place, PAGE_SIZE, times, PRECISION_MILLISECONDS),
    };
  }

  /** The ids of work items of the project, in the order of their changes. */
  private async search(clause: string, top: number): Promise<readonly number[]> {
    const order = 'ORDER BY [System.ChangedDate], [System.Id]';
    const where = `[System.TeamProject] = @project AND ${clause}`;
    const found = await this.inProject(
      {
        method: 'POST',
        path: '/wit/wiql',
        body: { query: `SELECT [System.Id] FROM WorkItems WHERE ${where} ${order}` },
        shape: z.object({ workItems: z.array(z.object({ id: z.int() })) }),
      },
      { timePrecision: 'true', $top: top },
    );
    return found.workItems.map(({ id }) => id);
  }

  private async items(ids: readonly number[]): Promise<readonly WorkItem[]> {
    if (ids.length === 0) return [];
    const found = await this.requests.send({
      method: 'POST',
      path: `/wit/workitemsbatch${query(VERSION)}`,
      body: { ids, fields: FIELDS, errorPolicy: 'omit' },
      shape: listOf(itemShape.nullable()),
    });
    return found.value.filter((item) => item !== null);
  }

  /** Sends a request about the project, whose API is not below that of the organization. */
  private async inProject<Body>(
    request: TrackerRequest<Body>,
    parameters: Readonly<Record<string, string | number>> = {},
  ): Promise<Body> {
    const { id } = await this.project();
    const path = `/${encodeURIComponent(id)}/_apis${request.path}${query({ ...parameters, ...VERSION })}`;
    return this.requests.send({ ...request, path, below: 'site' });
  }

  private async pathOf(id: string): Promise<string | undefined> {
    // Without the project, 404 would not mean that the work item is gone.
    await this.project();
    return /^[1-9]\d{0,14}$/.test(id) ? `/wit/workitems/${id}` : undefined;
  }

  private priorityOf(priority: string): number {
    if (/^\d{1,3}$/.test(priority)) return Number(priority);
    throw this.requests.refusal(`has no priority \`${priority}\`: priorities are numbers.`);
  }

  private async shown(item: WorkItem): Promise<TrackerIssue> {
    const { id, fields } = item;
    const { name } = await this.project();
    const project = fields['System.TeamProject'];
    return {
      id: String(id),
      key: `#${id}`,
      url: `${this.requests.url}/${encodeURIComponent(project)}/_workitems/edit/${id}`,
      project: isSameName(project, name) ? this.key : project,
      title: fields[TITLE],
      text: textOfHtml(fields[DESCRIPTION]),
      status: fields[STATE],
      priority: typeof fields[PRIORITY] === 'number' ? String(fields[PRIORITY]) : null,
      labels: tagsOf(item),
      updated: fields['System.ChangedDate'],
    };
  }
}

/** The body that sets fields. */
function patchOf(values: Readonly<Record<string, unknown>>): { body: readonly object[]; type: string } {
  const body = Object.entries(values).map(([name, value]) => ({ op: 'add', path: `/fields/${name}`, value }));
  return { body, type: 'application/json-patch+json' };
}
