import { stateMachine } from '../../kernel/state-machine.js';

export const trackedIssueMachine = stateMachine({
  noun: 'issue',
  table: 'tracked_issue',
  states: ['pending', 'synced', 'failed', 'missing', 'out_of_scope'],
  initial: 'pending',
  moves: {
    /** Both sides are equal. */
    settle: { from: ['pending', 'synced', 'failed', 'out_of_scope'], to: 'synced' },
    /** It could not be created or changed; the next run tries again. */
    fail: { from: ['pending', 'synced', 'failed', 'out_of_scope'], to: 'failed' },
    /** The tracker does not have it any more, or it was moved to another project. */
    lose: { from: ['synced', 'failed', 'out_of_scope'], to: 'missing' },
    /** A missing one is there again. */
    reappear: { from: ['missing'], to: 'synced' },
    /** Its countermeasure is not synchronised any more. */
    release: { from: ['synced', 'failed'], to: 'out_of_scope' },
    /** Someone asked for a new issue in place of a missing one. */
    recreate: {
      from: ['missing'],
      to: 'pending',
    },
  },
});
