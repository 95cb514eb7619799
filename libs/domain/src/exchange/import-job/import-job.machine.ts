import { sql } from 'kysely';
import { stateMachine } from '../../kernel/state-machine.js';
import { jobLease } from '../job/job.lease.js';

export const importLease = jobLease('import_job');

const notCancelled = { condition: sql`NOT item.cancel_requested`, reason: 'it is being cancelled' };

/** The states of an import job and all moves between them. */
export const importJobMachine = stateMachine({
  noun: 'import job',
  table: 'import_job',
  states: ['pending', 'generating_diff', 'ready_for_review', 'applying_changes', 'success', 'fail', 'cancel'],
  initial: 'pending',
  moves: {
    /** A worker claims a waiting job. */
    start: { from: ['pending'], to: 'generating_diff' },
    /** A worker claims a job whose lease expired while the difference was computed. */
    takeOver: {
      from: ['generating_diff'],
      to: 'generating_diff',
      guard: { condition: importLease.isFree, reason: 'its worker is alive' },
    },
    /**
     * A worker returns a job to the queue before there is a difference, because it shuts down or after a transient
     * error.
     */
    giveBack: { from: ['generating_diff'], to: 'pending', guard: notCancelled },
    /** The files are valid, and their changes are known. */
    review: { from: ['generating_diff'], to: 'ready_for_review', guard: notCancelled },
    /** A user accepts the changes. */
    accept: { from: ['ready_for_review'], to: 'applying_changes' },
    /** A worker claims an accepted job, or one whose lease expired while the changes were applied. */
    apply: {
      from: ['applying_changes'],
      to: 'applying_changes',
      guard: { condition: importLease.isFree, reason: 'its worker is alive' },
    },
    /** A worker returns an accepted job to the queue: nothing was applied. */
    rest: { from: ['applying_changes'], to: 'applying_changes' },
    /** The library has changed since the difference was computed: the worker computes another one. */
    startOver: { from: ['applying_changes'], to: 'generating_diff' },
    succeed: { from: ['applying_changes'], to: 'success' },
    fail: { from: ['generating_diff', 'applying_changes'], to: 'fail', guard: notCancelled },
    /** A user cancels a job that is not running: it takes effect immediately. */
    cancel: { from: ['pending', 'ready_for_review'], to: 'cancel' },
    /** A user cancels a job while a worker checks the files: the worker will stop. */
    requestCancel: {
      from: ['generating_diff'],
      to: 'generating_diff',
      guard: { condition: sql`NOT item.cancel_requested`, reason: 'it is already being cancelled' },
    },
    /** The worker has stopped after a cancellation. */
    stop: {
      from: ['generating_diff'],
      to: 'cancel',
      guard: { condition: sql`item.cancel_requested`, reason: 'no cancellation was requested' },
    },
    /** No one accepted the changes within the retention period. */
    expire: { from: ['ready_for_review'], to: 'cancel' },
    retry: { from: ['fail', 'cancel'], to: 'pending' },
  },
});
