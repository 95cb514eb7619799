import { stateMachine } from '../../kernel/state-machine.js';

export const deliveryMachine = stateMachine({
  noun: 'delivery',
  table: 'webhook_delivery',
  states: ['pending', 'delivered', 'failed', 'cancelled'],
  initial: 'pending',
  moves: {
    /** It was delivered. */
    deliver: { from: ['pending'], to: 'delivered' },
    /** The attempt failed, and another one is scheduled. */
    postpone: { from: ['pending'], to: 'pending' },
    /** The attempt failed, and there will be no other. */
    fail: { from: ['pending'], to: 'failed' },
    /** Its webhook, or the webhook's configuration for the event, was deactivated first. */
    cancel: { from: ['pending'], to: 'cancelled' },
    /** A user requested that it is sent again. */
    redeliver: { from: ['pending', 'delivered', 'failed', 'cancelled'], to: 'pending' },
  },
});
