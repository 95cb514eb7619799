import { domainEvent } from '../../kernel/domain-events.js';

/** A user's password was replaced and their tokens are to be revoked. */
export const passwordReplaced = domainEvent<{ readonly userId: number }>('password replaced');
