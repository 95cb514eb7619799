import { sql } from 'kysely';
import { stateMachine } from '../../kernel/state-machine.js';
import { jobLease } from '../job/job.lease.js';

export const exportLease = jobLease('export_job');

const notCancelled = { condition: sql`NOT item.cancel_requested`, reason: 'it is being cancelled' };

/** The states of an export job and all moves between them. */
export const exportJobMachine = stateMachine({
  noun: 'export job',
  table: 'export_job',
  states: ['pending', 'in_progress', 'success', 'fail', 'cancel'],
  initial: 'pending',
  moves: {
    /** A worker claims a waiting job. */
    start: { from: ['pending'], to: 'in_progress' },
    /** A worker claims a job whose lease has expired. */
    takeOver: {
      from: ['in_progress'],
      to: 'in_progress',
      guard: { condition: exportLease.isFree, reason: 'its worker is alive' },
    },
    /** A worker returns a job to the queue, because it shuts down or after a transient error. */
    giveBack: { from: ['in_progress'], to: 'pending', guard: notCancelled },
    /** A job with an accepted cancellation must not succeed. */
    succeed: { from: ['in_progress'], to: 'success', guard: notCancelled },
    fail: { from: ['in_progress'], to: 'fail', guard: notCancelled },
    /** A user cancels a job that is not running: it takes effect immediately. */
    cancel: { from: ['pending'], to: 'cancel' },
    /** A user cancels a running job: the worker will stop. */
    requestCancel: {
      from: ['in_progress'],
      to: 'in_progress',
      guard: { condition: sql`NOT item.cancel_requested`, reason: 'it is already being cancelled' },
    },
    /** The worker has stopped after a cancellation. */
    stop: {
      from: ['in_progress'],
      to: 'cancel',
      guard: { condition: sql`item.cancel_requested`, reason: 'no cancellation was requested' },
    },
    retry: { from: ['fail', 'cancel'], to: 'pending' },
  },
});
