import { domainEvent } from '../../kernel/domain-events.js';

/** A user's password was replaced, and the user's tokens are to end with the old one. */
export const passwordReplaced = domainEvent<{ readonly userId: number }>('password replaced');
