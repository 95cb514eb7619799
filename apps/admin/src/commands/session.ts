import { endSession, endSessionsOf } from '#domain/access/session/session.commands.js';
import { sessionProjection } from '#domain/access/session/session.projection.js';
import { acrossOrganizations } from '#domain/kernel/across-organizations.js';
import { NotFound } from '#domain/kernel/domain-errors.js';
import { operatorOf } from '#domain/kernel/operator.js';
import { type Command, CommandError } from '../command.js';
import { showList, showUser } from '../show.js';
import { EMAIL, userOf } from '../user-options.js';

/** Longer than any id. */
const MAX_ID_LENGTH = 100;

export const sessionCommands: readonly Command[] = [
  {
    name: 'session list',
    about: 'lists the sessions of a user',
    options: { email: EMAIL },
    run: async ({ orm }, options) => {
      const em = orm.em.fork();
      const user = await userOf(em, options);
      return { user: await showUser(em, user), sessions: await showList(em, sessionProjection, user) };
    },
  },
  {
    name: 'session end',
    about: 'ends one or all sessions of a user, within a second',
    options: { email: EMAIL, id: { type: 'string', about: 'id of the session, from `session list` (all)' } },
    run: ({ orm }, options) => {
      const id = options.text('id', MAX_ID_LENGTH);
      return acrossOrganizations(orm.em, 'operate the deployment', async (em) => {
        const user = await userOf(em, options);
        const operator = operatorOf(user.organizationId);
        if (id === undefined)
          return { user: await showUser(em, user), ended: await endSessionsOf(em, operator, user.id) };
        await endSession(em, operator, id, user.id).catch((error: unknown) => {
          throw error instanceof NotFound ? new CommandError(`--id: the user does not have a session "${id}".`) : error;
        });
        return { user: await showUser(em, user), ended: 1 };
      });
    },
  },
];
