import { on } from '../kernel/domain-events.js';
import { revokeTokensOf } from './token/token.commands.js';
import { passwordReplaced } from './user/user.events.js';

/** The event subscriptions of the access context. */
export const accessSubscriptions = [on(passwordReplaced, (em, actor, { userId }) => revokeTokensOf(em, actor, userId))];
