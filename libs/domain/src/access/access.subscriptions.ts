import { on } from '../kernel/domain-events.js';
import { revokeTokensOf } from './token/token.commands.js';
import { passwordReplaced } from './user/user.events.js';

/** What the concepts of access react to. */
export const accessSubscriptions = [on(passwordReplaced, (em, actor, { userId }) => revokeTokensOf(em, actor, userId))];
