import { EntityManager } from '@mikro-orm/postgresql';
import { TrackerOpener } from '#domain/connections/tracker-sync/tracker-opener.js';
import { SecretBox } from '#platform/crypto/secret-box.js';
import { Settings } from '#platform/injected.js';
import type { TrackerProject } from '#trackers/issue.js';
import { TrackerSyncRunner } from '../../apps/worker/src/connections/tracker-sync-runner.js';
import { useTestApi } from './api.js';
import { bodyOf, rowsOf } from './client.js';
import { makeConnector } from './connectors.js';
import { MemoryTracker } from './memory-tracker.js';
import { addCountermeasures, makeEmptyProject } from './project-content.js';
import type { TestProject } from './projects.js';

/** A countermeasure's issue, as the API shows it. */
export interface Issue {
  id: number;
  task: string | null;
  key: string | null;
  url: string | null;
  state: string;
  error: string | null;
  synced: string | null;
}

type Run = { id: number; status: string; error: string | null } & Record<string, number>;

const TASKS = ['T1', 'T2', 'T3'];
const MAPS = {
  status_to_tracker: { TS1: 'Closed', TS2: 'New', TS3: 'Rejected' },
  tracker_to_status: { Closed: 'TS1', New: 'TS2', Rejected: 'TS3' },
};

/** Starts an API, and runs connections of projects to a tracker in memory, as a worker does. */
export function useTrackerRuns() {
  const test = useTestApi();
  const logged: unknown[] = [];
  let tracker: MemoryTracker;
  let runner: TrackerSyncRunner;
  let project: TestProject;
  let path: string;
  let connection: number;

  /** A connection of a new project with three countermeasures. */
  const connect = async (fields: object = {}): Promise<void> => {
    project = await makeEmptyProject(test);
    await addCountermeasures(test, project, TASKS);
    const { id } = await makeConnector(test.api, '/connectors/issue-tracker/');
    const base = `/projects/${project.id}/issue-tracker-connections/`;
    const body = { connector: id, project_key: 'SHOP', ...MAPS, ...fields };
    connection = (await bodyOf(test.api.post<{ id: number }>(base, body), 201)).id;
    path = `${base}${connection}/`;
  };
  /** Takes the turn of whatever is due, as a worker would. */
  const turn = (): Promise<void> =>
    runner.run({ id: connection, fence: 0 }, { signal: new AbortController().signal, isClosing: () => false });
  const request = (): Promise<Run> => bodyOf(test.api.post<Run>(`${path}sync/`), 202);
  const latest = async (): Promise<Run | undefined> =>
    (await rowsOf(test.api.get<{ results: Run[] }>(`${path}runs/`)))[0];
  const sync = async (): Promise<Run | undefined> => {
    await request();
    await turn();
    return latest();
  };
  const issues = (): Promise<Issue[]> => rowsOf(test.api.get<{ results: Issue[] }>(`${path}issues/`));
  const mark = (task: string, status: string): Promise<unknown> =>
    bodyOf(test.api.patch(`/projects/${project.id}/tasks/${task}/`, { status }));
  const statusOf = async (task: string): Promise<string> =>
    (await bodyOf(test.api.get<{ status: string }>(`/projects/${project.id}/tasks/${task}/`))).status;
  const issueOf = (task: string) => {
    const issue = Array.from(tracker.issues.values()).find(({ title }) => title.startsWith(`${task}: `));
    if (!issue) throw new Error(`There is no issue of ${task}.`);
    return issue;
  };

  beforeAll(() => {
    const settings = test.running.app.get(Settings);
    class MemoryOpener extends TrackerOpener {
      override open(): Promise<TrackerProject> {
        return Promise.resolve(tracker);
      }
    }
    const opener = new MemoryOpener(settings, test.running.app.get(SecretBox));
    const log = { error: (...entry: unknown[]) => void logged.push(entry) };
    runner = new TrackerSyncRunner(test.running.app.get(EntityManager), opener, log as never, settings);
  });
  beforeEach(() => {
    tracker = new MemoryTracker();
    logged.length = 0;
  });
  afterEach(() => expect(logged).toEqual([]));

  /** What belongs to the current test. */
  const runs = {
    logged,
    get tracker() {
      return tracker;
    },
    get project() {
      return project;
    },
    /** The path of the connection. */
    get path() {
      return path;
    },
    get connection() {
      return connection;
    },
  };
  return { test, runs, connect, turn, request, latest, sync, issues, mark, statusOf, issueOf };
}
