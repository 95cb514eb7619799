import { globSync } from 'node:fs';
import path from 'node:path';
import { cloneDatabase, type TestDatabase } from '#test/support/database.js';
import { trackedIssueMachine } from '../connections/tracked-issue/tracked-issue.machine.js';
import { syncRunMachine } from '../connections/tracker-sync/sync-run.machine.js';
import { exportJobMachine } from '../exchange/export-job/export-job.machine.js';
import { importJobMachine } from '../exchange/import-job/import-job.machine.js';
import { libraryUpgradeMachine } from '../library/library-upgrade/library-upgrade.machine.js';
import { StateMachine } from './state-machine.js';
import { deliveryMachine } from '../notifications/webhook/delivery.machine.js';

interface Ends {
  readonly machine: StateMachine<string, string>;
  /** States without outgoing moves. */
  readonly final: readonly string[];
}

const machines: readonly Ends[] = [
  { machine: exportJobMachine, final: ['success'] },
  { machine: importJobMachine, final: ['success'] },
  { machine: deliveryMachine, final: [] },
  { machine: syncRunMachine, final: ['succeeded', 'failed'] },
  { machine: trackedIssueMachine, final: [] },
  { machine: libraryUpgradeMachine, final: ['taken', 'kept', 'superseded'] },
];

let database: TestDatabase;

beforeAll(async () => {
  database = await cloneDatabase();
});

afterAll(() => database.drop());

describe('State machines', () => {
  it('are all covered by these tests', async () => {
    const files = globSync('*/*/*.machine.ts', { cwd: path.dirname(import.meta.dirname) });
    const modules = await Promise.all(
      files.map((file) => import(`../${file.replace(/ts$/, 'js')}`) as Promise<object>),
    );
    expect(files).toHaveLength(machines.length);
    const exported = modules.flatMap((module): unknown[] => Object.values(module));
    expect(new Set(exported.filter((value) => value instanceof StateMachine))).toEqual(
      new Set(machines.map(({ machine }) => machine)),
    );
  });
});

describe.each(machines.map((ends) => [ends.machine.definition.table, ends] as const))(
  'The states of %s',
  (table, { machine, final }) => {
    const { states, definition } = machine;

    it('are exactly those in its transitions', () => {
      const named = Object.values(definition.moves).flatMap(({ from, to }) => [...from, to]);
      expect([...new Set([definition.initial, ...named])].sort()).toEqual([...states].sort());
    });

    it('can all be reached from the initial state', () => {
      const reached = new Set([definition.initial]);
      for (const state of reached) for (const next of machine.nextStates(state)) reached.add(next);
      expect([...reached].sort()).toEqual([...states].sort());
    });

    it('can all be left, except for the final states', () => {
      const ends = states.filter((state) => machine.nextStates(state).every((next) => next === state));
      expect(ends).toEqual(final);
    });

    it('are exactly those that the database allows', async () => {
      const checks = await database.query<{ definition: string }>(
        `SELECT pg_get_constraintdef(c.oid) AS definition
         FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND c.conkey = ARRAY[a.attnum]
         WHERE c.conrelid = $1::regclass AND c.contype = 'c' AND a.attname = 'status'`,
        [table],
      );
      const allowed = checks.map((check) => [...check.definition.matchAll(/'(\w+)'::text/g)].map(([, state]) => state));
      expect(allowed).toEqual([[...states]]);
    });

    it('start with the default of the database', async () => {
      const [column] = await database.query<{ value: string }>(
        `SELECT column_default AS value FROM information_schema.columns
         WHERE table_schema = 'public' AND table_name = $1 AND column_name = 'status'`,
        [table],
      );
      expect(column?.value).toBe(`'${definition.initial}'::text`);
    });
  },
);
