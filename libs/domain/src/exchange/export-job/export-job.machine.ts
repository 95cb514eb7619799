import { sql } from 'kysely';
import { stateMachine } from '../../kernel/state-machine.js';

const notCancelled = { condition: sql`NOT item.cancel_requested`, reason: 'it is being cancelled' };

/** The states of an export job and every way from one to another. */
export const exportJobMachine = stateMachine({
  noun: 'export job',
  table: 'export_job',
  states: ['pending', 'in_progress', 'success', 'fail', 'cancel'],
  initial: 'pending',
  moves: {
    /** A worker takes a job that waits. */
    start: { from: ['pending'], to: 'in_progress' },
    /** A worker takes a job whose worker has gone silent. */
    takeOver: {
      from: ['in_progress'],
      to: 'in_progress',
      guard: { condition: sql`item.lease_until < now()`, reason: 'its worker is alive' },
    },
    /** A worker gives a job back: it stops, or something that may pass went wrong. */
    giveBack: { from: ['in_progress'], to: 'pending', guard: notCancelled },
    /** What was accepted as cancelled never succeeds. */
    succeed: { from: ['in_progress'], to: 'success', guard: notCancelled },
    fail: { from: ['in_progress'], to: 'fail', guard: notCancelled },
    /** A user cancels a job that no worker runs: it takes effect at once. */
    cancel: { from: ['pending'], to: 'cancel' },
    /** A user cancels a job that a worker works on: the worker will stop. */
    requestCancel: {
      from: ['in_progress'],
      to: 'in_progress',
      guard: { condition: sql`NOT item.cancel_requested`, reason: 'it is being cancelled already' },
    },
    /** The worker has stopped, as it was asked to. */
    stop: {
      from: ['in_progress'],
      to: 'cancel',
      guard: { condition: sql`item.cancel_requested`, reason: 'no one has asked to cancel it' },
    },
    retry: { from: ['fail', 'cancel'], to: 'pending' },
  },
});
