import { stateMachine } from '../../kernel/state-machine.js';

/** What becomes of a field that both a release and an organization have changed. */
export const libraryUpgradeMachine = stateMachine({
  noun: 'upgrade',
  table: 'library_upgrade',
  states: ['open', 'taken', 'kept', 'superseded'],
  initial: 'open',
  moves: {
    /** The organization takes the built-in value. */
    take: { from: ['open'], to: 'taken' },
    /** The organization stays with its own. */
    keep: { from: ['open'], to: 'kept' },
    /** A newer release has changed the field once more. */
    supersede: { from: ['open'], to: 'superseded' },
  },
});
