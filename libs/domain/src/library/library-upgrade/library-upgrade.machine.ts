import { stateMachine } from '../../kernel/state-machine.js';

/** The states of a field that both a release and an organization have changed. */
export const libraryUpgradeMachine = stateMachine({
  noun: 'upgrade',
  table: 'library_upgrade',
  states: ['open', 'taken', 'kept', 'superseded'],
  initial: 'open',
  moves: {
    /** The organization accepts the built-in value. */
    take: { from: ['open'], to: 'taken' },
    /** The organization keeps its own value. */
    keep: { from: ['open'], to: 'kept' },
    /** A newer release has changed the field again. */
    supersede: { from: ['open'], to: 'superseded' },
  },
});
