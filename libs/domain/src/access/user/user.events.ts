import { domainEvent } from '../../kernel/domain-events.js';

/** A user's password was replaced: whoever knew the old one must lose access. */
export interface PasswordReplacement {
  readonly userId: number;
  /** Whether the user's tokens stay valid. */
  readonly keepTokens: boolean;
}

export const passwordReplaced = domainEvent<PasswordReplacement>('password replaced');

/** A user was deactivated. */
export const userDeactivated = domainEvent<{ readonly userId: number }>('user deactivated');
