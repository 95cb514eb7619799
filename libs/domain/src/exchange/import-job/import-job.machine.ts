import { sql } from 'kysely';
import { stateMachine } from '../../kernel/state-machine.js';

const notCancelled = { condition: sql`NOT item.cancel_requested`, reason: 'it is being cancelled' };

/** The states of an import job and every way from one to another. */
export const importJobMachine = stateMachine({
  noun: 'import job',
  table: 'import_job',
  states: ['pending', 'generating_diff', 'ready_for_review', 'applying_changes', 'success', 'fail', 'cancel'],
  initial: 'pending',
  moves: {
    /** A worker takes a job that waits. */
    start: { from: ['pending'], to: 'generating_diff' },
    /** A worker takes a job whose worker has gone silent while it worked the difference out. */
    takeOver: {
      from: ['generating_diff'],
      to: 'generating_diff',
      guard: { condition: sql`item.lease_until < now()`, reason: 'its worker is alive' },
    },
    /** A worker gives a job back before there is a difference: it stops, or something that may pass went wrong. */
    giveBack: { from: ['generating_diff'], to: 'pending', guard: notCancelled },
    /** The files are sound, and what they would change is known. */
    review: { from: ['generating_diff'], to: 'ready_for_review', guard: notCancelled },
    /** A user wants the changes. */
    accept: { from: ['ready_for_review'], to: 'applying_changes' },
    /** A worker takes a job that was accepted, or whose worker has gone silent while it applied the changes. */
    apply: {
      from: ['applying_changes'],
      to: 'applying_changes',
      guard: { condition: sql`(item.lease_until IS NULL OR item.lease_until < now())`, reason: 'its worker is alive' },
    },
    /** A worker gives an accepted job back: nothing was applied. */
    rest: { from: ['applying_changes'], to: 'applying_changes' },
    /** The library is no longer what the difference was made from: the worker makes another one. */
    startOver: { from: ['applying_changes'], to: 'generating_diff' },
    succeed: { from: ['applying_changes'], to: 'success' },
    fail: { from: ['generating_diff', 'applying_changes'], to: 'fail', guard: notCancelled },
    /** A user cancels a job that no worker runs: it takes effect at once. */
    cancel: { from: ['pending', 'ready_for_review'], to: 'cancel' },
    /** A user cancels a job that a worker checks: the worker will stop. */
    requestCancel: {
      from: ['generating_diff'],
      to: 'generating_diff',
      guard: { condition: sql`NOT item.cancel_requested`, reason: 'it is being cancelled already' },
    },
    /** The worker has stopped, as it was asked to. */
    stop: {
      from: ['generating_diff'],
      to: 'cancel',
      guard: { condition: sql`item.cancel_requested`, reason: 'no one has asked to cancel it' },
    },
    /** No one has accepted it for as long as differences are kept. */
    expire: { from: ['ready_for_review'], to: 'cancel' },
    retry: { from: ['fail', 'cancel'], to: 'pending' },
  },
});
