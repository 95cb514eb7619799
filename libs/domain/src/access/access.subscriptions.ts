import { on } from '../kernel/domain-events.js';
import { endSessionsOf } from './session/session.commands.js';
import { revokeTokensOf } from './token/token.commands.js';
import { passwordReplaced, userDeactivated } from './events/access.events.js';

/** The event subscriptions of the access context. */
export const accessSubscriptions = [
  on(passwordReplaced, async (em, actor, { userId, keepTokens }) => {
    if (!keepTokens) await revokeTokensOf(em, actor, userId);
  }),
  on(passwordReplaced, async (em, actor, { userId }) => void (await endSessionsOf(em, actor, userId, actor.session))),
  on(userDeactivated, async (em, actor, { userId }) => void (await endSessionsOf(em, actor, userId))),
];
