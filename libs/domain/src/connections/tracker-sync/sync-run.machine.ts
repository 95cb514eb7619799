import { stateMachine } from '../../kernel/state-machine.js';

export const syncRunMachine = stateMachine({
  noun: 'run',
  table: 'tracker_sync_run',
  states: ['pending', 'running', 'succeeded', 'failed'],
  initial: 'pending',
  moves: {
    /** A worker begins it, or continues it. */
    start: { from: ['pending', 'running'], to: 'running' },
    /** Every issue was compared; single ones may have failed. */
    succeed: { from: ['running'], to: 'succeeded' },
    /** It ended early: the tracker could not be used. */
    fail: { from: ['running'], to: 'failed' },
  },
});
