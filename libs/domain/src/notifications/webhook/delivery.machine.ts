import { stateMachine } from '../../kernel/state-machine.js';

/** The states of a delivery and every way from one to another. */
export const deliveryMachine = stateMachine({
  noun: 'delivery',
  table: 'webhook_delivery',
  states: ['pending', 'delivered', 'failed', 'cancelled'],
  initial: 'pending',
  moves: {
    /** It got through. */
    deliver: { from: ['pending'], to: 'delivered' },
    /** It did not, and is tried again. */
    postpone: { from: ['pending'], to: 'pending' },
    /** It did not, and never will. */
    fail: { from: ['pending'], to: 'failed' },
    /** Its webhook, or the event in it, was switched off before. */
    cancel: { from: ['pending'], to: 'cancelled' },
    /** A user wants it sent once more. */
    redeliver: { from: ['pending', 'delivered', 'failed', 'cancelled'], to: 'pending' },
  },
});
