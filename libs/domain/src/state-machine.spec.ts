import { cloneDatabase } from '../../../test/support/database.js';
import { exportJobMachine } from './export-job/export-job.machine.js';
import { importJobMachine } from './import-job/import-job.machine.js';
import type { StateMachine } from './state-machine.js';
import { deliveryMachine } from './webhook/delivery.machine.js';

const machines: readonly StateMachine<string, string>[] = [exportJobMachine, importJobMachine, deliveryMachine];

describe.each(machines.map((machine) => [machine.definition.table, machine] as const))(
  'The states of %s',
  (table, machine) => {
    const { states, definition } = machine;

    it('can all be reached from the first one', () => {
      const reached = new Set([definition.initial]);
      for (const state of reached) for (const next of machine.nextStates(state)) reached.add(next);
      expect([...reached].sort()).toEqual([...states].sort());
    });

    it('can all be left, but for success', () => {
      for (const state of states)
        expect({ state, left: machine.nextStates(state).some((next) => next !== state) }).toEqual({
          state,
          left: state !== 'success',
        });
    });

    it('are those that the database allows, and no others', async () => {
      const database = await cloneDatabase();
      try {
        const [constraint] = await database.query<{ definition: string }>(
          'SELECT pg_get_constraintdef(oid) AS definition FROM pg_constraint WHERE conname = $1',
          [`${table}_status`],
        );
        const allowed = [...(constraint?.definition ?? '').matchAll(/'(\w+)'::text/g)].map(([, state]) => state);
        expect(allowed).toEqual([...states]);
      } finally {
        await database.drop();
      }
    });
  },
);
