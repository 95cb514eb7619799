import { operatorOf } from '#domain/kernel/operator.js';
import { createToken, revokeToken } from '#domain/access/token/token.commands.js';
import { tokenProjection } from '#domain/access/token/token.projection.js';
import { MAX_TOKEN_NAME_LENGTH } from '#domain/access/token/token.fields.js';
import { NotFound } from '#domain/kernel/domain-errors.js';
import { acrossOrganizations } from '#domain/kernel/across-organizations.js';
import { type Command, CommandError } from '../command.js';
import { showList, showUser } from '../show.js';
import { EMAIL, userOf } from '../user-options.js';

/** Longer than any id. */
const MAX_ID_LENGTH = 100;

const DEFAULT_NAME = 'Command line';

export const tokenCommands: readonly Command[] = [
  {
    name: 'token create',
    about: 'creates a token for a user, and shows it once',
    options: { email: EMAIL, name: { type: 'string', about: `name of the token (${DEFAULT_NAME})` } },
    run: ({ orm }, options) => {
      const name = options.text('name', MAX_TOKEN_NAME_LENGTH) ?? DEFAULT_NAME;
      return acrossOrganizations(orm.em, 'operate the deployment', async (em) => {
        const user = await userOf(em, options);
        const { token } = await createToken(em, operatorOf(user.organizationId), String(user.id), { name });
        return { user: await showUser(em, user), token };
      });
    },
  },
  {
    name: 'token list',
    about: 'lists the tokens of a user, without the tokens themselves',
    options: { email: EMAIL },
    run: async ({ orm }, options) => {
      const em = orm.em.fork();
      const user = await userOf(em, options);
      return { user: await showUser(em, user), tokens: await showList(em, tokenProjection, user) };
    },
  },
  {
    name: 'token revoke',
    about: 'deletes a token of a user: it stops working within seconds',
    options: {
      email: EMAIL,
      id: { type: 'string', required: true, about: 'id of the token, from `token list`' },
    },
    run: ({ orm }, options) => {
      const id = options.required('id', MAX_ID_LENGTH);
      return acrossOrganizations(orm.em, 'operate the deployment', async (em) => {
        const user = await userOf(em, options);
        await revokeToken(em, operatorOf(user.organizationId), id, user.id).catch((error: unknown) => {
          throw error instanceof NotFound ? new CommandError(`--id: the user does not have a token "${id}".`) : error;
        });
        return { user: await showUser(em, user), revoked: Number(id) };
      });
    },
  },
];
