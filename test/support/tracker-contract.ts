import { randomBytes } from 'node:crypto';

import { OutboundClient } from '#platform/outbound/outbound-client.js';
import {
  type IssueDraft,
  type IssuePage,
  MERLON_LABEL,
  type TrackerIssue,
  type TrackerProject,
} from '#trackers/issue.js';
import { trackerProject } from '#trackers/tracker-project.js';
import type { TrackerAccess } from '#trackers/tracker.js';

/** A tracker with one empty project, and what people do in it. */
export interface ContractTracker {
  readonly system: string;
  readonly access: TrackerAccess;
  readonly project: string;
  /** The type of new issues. */
  readonly type: string | undefined;
  /** Two statuses: that of new issues, and one that ends the work. */
  readonly statuses: readonly [open: string, done: string];
  /** Two priorities, if the tracker has any. */
  readonly priorities?: readonly [string, string];
  /** A type whose issues need a further field, and that field. */
  readonly required?: {
    readonly type: string;
    readonly field: string;
    readonly name: string;
    readonly values: readonly string[];
  };
  /** A status that is reached only with a value for a field. */
  readonly statusNeedingField?: { readonly status: string; readonly field: string };
  /** Deletes an issue, if tests may. */
  remove?(issue: TrackerIssue): Promise<void>;
  /** Moves an issue to another project, and returns how that project is called; if tests may. */
  move?(issue: TrackerIssue): Promise<string>;
  /** Creates an issue that is not ours, without labels. */
  createForeign?(title: string): Promise<void>;
  /** Whether other people use it too: it gets no long lists then. */
  readonly isShared?: boolean;
  /** Exchanges that the description of a fake's API does not allow, if it is one. */
  readonly faults?: readonly string[];
  /** Methods and paths of all requests, if it is a fake. */
  readonly requests?: readonly string[];
  stop(): Promise<void>;
}

/** A client as the service uses it for trackers, with a short time-out. */
export const trackerClient = (): OutboundClient =>
  new OutboundClient({
    allowPrivate: true,
    schemes: ['http:', 'https:'],
    timeoutMilliseconds: 60_000,
    maximumResponseBytes: 10_000_000,
  });

const TEXT = [
  '# Check passwords',
  'Compare them with a list of **known** passwords, as in `check()`.',
  '- at sign-up\n- at each change',
  '[Open it in Merlon](https://merlon.example/x)',
].join('\n\n');

/** Markup of trackers, of pages, of queries and of scripts, and characters that break formats. */
const HOSTILE = [
  '"quoted" & <b>bold</b> \' OR 1=1 --',
  '{code}h1. !image.png! [~admin] {panel}',
  '/close @everyone #1',
  '<script>alert(1)</script> &lt; \\" \\u0000',
  '日本語 🔥 \u202e reversed',
  'two\nlines\tand\u0000 control',
] as const;

const START_MILLISECONDS = 300_000;
const PAGES_MILLISECONDS = 120_000;
const PAGE_SIZE = 100;

/** The behaviour that every adapter has, on a tracker that is started for it. */
export function describeContract(name: string, start: () => Promise<ContractTracker>, isInstalled = true): void {
  (isInstalled ? describe : describe.skip)(`A project of ${name}`, () => {
    let tracker: ContractTracker;
    let project: TrackerProject;
    let count = 0;
    // An account still has the issues of earlier runs.
    const prefix = `merlon-${randomBytes(4).toString('hex')}-`;
    const open = (): TrackerProject => trackerProject(trackerClient(), tracker.system, tracker.access, tracker.project);
    const draft = (change: Partial<IssueDraft> = {}): IssueDraft => ({
      type: tracker.type,
      title: 'Reject known passwords',
      text: TEXT,
      priority: tracker.priorities?.[0],
      labels: ['security'],
      fields: {},
      marker: `${prefix}${(count += 1)}`,
      ...change,
    });
    /** All pages of changes, each of which is sorted. */
    const changesSince = async (since: Date): Promise<{ issues: TrackerIssue[]; requests: number }> => {
      const all: TrackerIssue[] = [];
      let page: string | undefined;
      let requests = 0;
      do {
        const { issues, next }: IssuePage = await project.changedSince(since, page);
        const times = issues.map(({ updated }) => updated.getTime());
        expect(times).toEqual(times.toSorted((one, other) => one - other));
        all.push(...issues);
        page = next;
        requests += 1;
      } while (page !== undefined && requests < 10);
      return { issues: all, requests };
    };
    beforeAll(async () => {
      tracker = await start();
      project = open();
    }, START_MILLISECONDS);
    afterEach(() => expect(tracker.faults ?? []).toEqual([]));
    afterAll(() => tracker.stop());

    it('describes its types, statuses, priorities and required fields', async () => {
      const described = await project.describe(tracker.type);
      expect(described.statuses).toEqual(expect.arrayContaining([...tracker.statuses]));
      expect(described.priorities).toEqual(
        tracker.priorities === undefined ? [] : expect.arrayContaining([...tracker.priorities]),
      );
      expect(described.fields.filter(({ required }) => required)).toEqual([]);
      if (tracker.type !== undefined) expect(described.issueTypes).toContain(tracker.type);
      if (!tracker.required) return;
      const { type, field, name, values } = tracker.required;
      const { fields } = await project.describe(type);
      expect(fields.filter(({ required }) => required)).toEqual([{ id: field, name, required: true, values }]);
    });

    it('creates an issue, which is found by its marker and read by its id', async () => {
      expect(await project.find(prefix.slice(0, -1))).toBeUndefined();
      const wanted = draft();
      const issue = await project.create(wanted);
      expect(issue).toMatchObject({
        project: tracker.project,
        title: wanted.title,
        status: tracker.statuses[0],
        priority: tracker.priorities?.[0] ?? null,
      });
      expect(issue.labels.toSorted()).toEqual([MERLON_LABEL, wanted.marker, 'security'].toSorted());
      expect(issue.url).toContain(tracker.access.url);
      expect(Math.abs(issue.updated.getTime() - Date.now())).toBeLessThan(60_000);
      for (const word of ['Check passwords', 'at each change', 'https://merlon.example/x'])
        expect(issue.text).toContain(word);
      expect(issue.text).not.toContain(wanted.marker);
      expect(await project.find(wanted.marker)).toEqual(issue);
      expect(await open().read(issue.id)).toEqual(issue);
    });

    it('does not confuse markers of which one begins with the other', async () => {
      const { id } = await project.create(draft({ marker: `${prefix}a-12` }));
      expect(await project.find(`${prefix}a-1`)).toBeUndefined();
      expect(await project.find(`${prefix}a-12`)).toMatchObject({ id });
      await expect(project.find('x" OR project = OTHER')).rejects.toMatchObject({ name: 'TrackerRefusal' });
    });

    it('changes title, text, status and priority, and nothing else', async () => {
      const issue = await project.create(draft());
      const renamed = await project.update(issue.id, { title: 'New title' });
      expect({ ...renamed, updated: issue.updated }).toEqual({ ...issue, title: 'New title' });
      const rewritten = await project.update(issue.id, { text: 'Other words.' });
      expect(rewritten).toMatchObject({ title: 'New title', text: 'Other words.', labels: issue.labels });
      for (const status of [tracker.statuses[1], tracker.statuses[0]]) {
        expect(await project.update(issue.id, { status })).toMatchObject({ title: 'New title', status });
        expect(await open().read(issue.id)).toMatchObject({ status, text: 'Other words.' });
      }
      if (!tracker.priorities) return;
      const priority = tracker.priorities[1];
      expect(await project.update(issue.id, { priority, title: 'Both' })).toMatchObject({ priority, title: 'Both' });
    });

    it('refuses a status or priority that it does not have', async () => {
      const { id } = await project.create(draft());
      const before = await project.read(id);
      for (const change of [{ status: 'Nonsense' }, { status: 'constructor' }, { priority: 'Nonsense' }])
        await expect(project.update(id, change)).rejects.toMatchObject({
          name: 'TrackerRefusal',
          message: expect.stringMatching(/Nonsense|constructor|no priorities|priority selected is invalid/) as string,
        });
      expect(await project.read(id)).toEqual(before);
    });

    it('names a required field that is missing', async () => {
      if (!tracker.required) return;
      const { type, field, name, values } = tracker.required;
      await expect(project.create(draft({ type }))).rejects.toMatchObject({
        name: 'TrackerRefusal',
        message: expect.stringContaining(name) as string,
      });
      const value = values[0] ?? '';
      expect(await project.create(draft({ type, fields: { [field]: value } }))).toMatchObject({
        status: expect.any(String) as string,
      });
    });

    it('names the field that a status needs, and changes nothing', async () => {
      if (!tracker.statusNeedingField) return;
      const { status, field } = tracker.statusNeedingField;
      const issue = await project.create(draft());
      await expect(project.update(issue.id, { title: 'Other', status })).rejects.toMatchObject({
        name: 'TrackerRefusal',
        message: expect.stringContaining(field) as string,
      });
      expect(await project.read(issue.id)).toEqual(issue);
    });

    it.each(HOSTILE)('keeps the title %j on one line, and the text as text', async (hostile) => {
      const issue = await project.create(draft({ title: hostile, text: `${hostile}\n\nThe end.` }));
      const line = hostile.replaceAll(/[\p{Cc}\s]+/gu, ' ');
      expect(issue.title).toBe(line);
      expect(issue.text).toContain('The end.');
      expect(issue.status).toBe(tracker.statuses[0]);
      expect(await project.update(issue.id, { title: `${hostile}!` })).toMatchObject({ title: `${line}!` });
      expect((await project.read(issue.id))?.labels).toEqual(issue.labels);
    });

    it('cuts off a title that is too long', async () => {
      const { title } = await project.create(draft({ title: '🔥'.repeat(300) }));
      expect(title).toMatch(/^(🔥){100,127}…$/u);
    });

    it('no longer has an issue that was deleted', async () => {
      if (!tracker.remove) return;
      const wanted = draft();
      const issue = await project.create(wanted);
      await tracker.remove(issue);
      expect(await project.read(issue.id)).toBeUndefined();
      expect(await project.find(wanted.marker)).toBeUndefined();
      await expect(project.update(issue.id, { title: 'x' })).rejects.toMatchObject({ name: 'TrackerRefusal' });
      for (const id of ['', '0', '../../users/current', '1/../2']) expect(await project.read(id)).toBeUndefined();
    });

    it('still reads an issue that was moved, and says where it is', async () => {
      if (!tracker.move) return;
      const issue = await project.create(draft());
      const target = await tracker.move(issue);
      expect(target).not.toBe(tracker.project);
      expect(await project.read(issue.id)).toMatchObject({ id: issue.id, project: target, title: issue.title });
    });

    it(
      'lists the changes of its own issues since a time, oldest first, in pages',
      async () => {
        const first = await project.create(draft({ title: 'First' }));
        await tracker.createForeign?.('Not ours');
        // Some trackers compare times to the minute.
        const early = new Date(first.updated.getTime() - 120_000);
        const titles = Array.from({ length: tracker.isShared ? 2 : PAGE_SIZE + 5 }, (_, index) => `Issue ${index}`);
        for (const title of titles) await project.create(draft({ title }));
        const { issues, requests } = await changesSince(early);
        const seen = issues.map(({ title }) => title);
        expect(seen).toEqual(expect.arrayContaining(['First', ...titles]));
        expect(seen).not.toContain('Not ours');
        expect(issues.every(({ labels }) => labels.includes(MERLON_LABEL))).toBe(true);
        if (!tracker.isShared) expect(requests).toBeGreaterThan(1);
        expect(requests).toBeLessThan(6);
        // An overlap returns what is known already, and a later change.
        const changed = await project.update(first.id, { title: 'First, again' });
        const later = await changesSince(changed.updated);
        expect(later.issues.map(({ title }) => title)).toContain('First, again');
        const future = await project.changedSince(new Date(Date.now() + 3_600_000), undefined);
        expect(future).toEqual({ issues: [], next: undefined });
      },
      PAGES_MILLISECONDS,
    );

    it('says that a project is not visible, instead of having no issues', async () => {
      for (const key of ['nothing', '..', 'a/../b']) {
        const other = trackerProject(trackerClient(), tracker.system, tracker.access, key);
        for (const ask of [other.read('1'), other.find('merlon-1'), other.describe(undefined), other.create(draft())])
          await expect(ask).rejects.toMatchObject({
            name: 'TrackerRefusal',
            message: expect.stringContaining('does not show the project') as string,
          });
      }
    });

    it('says that the token is not accepted', async () => {
      const access = { ...tracker.access, token: 'wrong' };
      const other = trackerProject(trackerClient(), tracker.system, access, tracker.project);
      await expect(other.describe(undefined)).rejects.toMatchObject({
        name: 'TrackerRefusal',
        message: expect.stringContaining('does not accept the token') as string,
      });
    });
  });
}
