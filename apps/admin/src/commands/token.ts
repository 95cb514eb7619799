import { operatorOf } from '#domain/kernel/operator.js';
import { createToken } from '#domain/access/token/token.commands.js';
import { TOKEN_NAME_MAXIMUM_LENGTH } from '#domain/access/token/token.rules.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import type { Command } from '../command.js';
import { showUser } from '../show-user.js';
import { EMAIL, userOf } from '../user-options.js';

const DEFAULT_NAME = 'Command line';

export const tokenCommands: readonly Command[] = [
  {
    name: 'token create',
    about: 'makes a token for a user, and shows it this once',
    options: { email: EMAIL, name: { type: 'string', about: `name of the token (${DEFAULT_NAME})` } },
    run: ({ orm }, options) => {
      const name = options.text('name', TOKEN_NAME_MAXIMUM_LENGTH) ?? DEFAULT_NAME;
      return inTransaction(orm.em, async (em) => {
        const user = await userOf(em, options);
        const { token } = await createToken(em, operatorOf(user.organizationId), String(user.id), { name });
        return { user: await showUser(em, user), token };
      });
    },
  },
];
