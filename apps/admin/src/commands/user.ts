import { unstorableTextError } from '#domain/kernel/fields/field-checks.js';
import type { EntityManager } from '@mikro-orm/postgresql';
import { findOrganization, type Organization } from '#domain/access/organization/find-organization.js';
import { MAX_ORGANIZATION_NAME_LENGTH } from '#domain/access/organization/organization.commands.js';
import { operatorOf } from '#domain/kernel/operator.js';
import { acrossOrganizations } from '#domain/kernel/across-organizations.js';
import { inTransaction } from '#domain/kernel/transaction.js';
import { setPassword } from '#domain/access/user/password.commands.js';
import { createUser } from '#domain/access/user/user.commands.js';
import { userProjection } from '#domain/access/user/user.projection.js';
import { MAX_PERSON_NAME_LENGTH } from '#domain/access/user/user.rules.js';
import { type Command, CommandError, type Option, type Options, type Session } from '../command.js';
import { readPassword } from '../read-password.js';
import { showList, showUser } from '../show.js';
import { EMAIL, emailOf, userOf } from '../user-options.js';

const ORGANIZATION: Option = { type: 'string', required: true, about: 'name or number of the organization' };

/** Longer than any public id. */
const MAX_ID_LENGTH = 100;

/** The organization that `--organization` names. Throws `CommandError` if it does not exist. */
async function organizationOf(em: EntityManager, options: Options): Promise<Organization> {
  const name = options.required('organization', MAX_ORGANIZATION_NAME_LENGTH);
  const organization = await findOrganization(em, name);
  if (!organization) throw new CommandError(`--organization: the organization "${name}" does not exist.`);
  return organization;
}

async function create({ orm }: Session, options: Options): Promise<unknown> {
  const role = options.text('role', MAX_ID_LENGTH);
  const input = {
    email: emailOf(options),
    first_name: options.required('first-name', MAX_PERSON_NAME_LENGTH),
    last_name: options.required('last-name', MAX_PERSON_NAME_LENGTH),
    is_superuser: options.flag('superuser'),
    ...(role !== undefined && { role }),
  };
  return acrossOrganizations(orm.em, 'operate the deployment', async (em) => {
    const organization = await organizationOf(em, options);
    const id = await createUser(em, operatorOf(organization.id), input);
    return { user: await showUser(em, { id, organizationId: organization.id }) };
  });
}

async function list({ orm }: Session, options: Options): Promise<unknown> {
  const em = orm.em.fork();
  const { id: organizationId, name } = await organizationOf(em, options);
  const scope = { id: 0, organizationId, isSuperUser: true };
  return { organization: { id: organizationId, name }, users: await showList(em, userProjection, scope) };
}

async function changePassword({ orm, terminal }: Session, options: Options): Promise<unknown> {
  // Looks up the user first, so that no one types a password for a user who does not exist.
  const user = await userOf(orm.em.fork(), options);
  const keepTokens = options.flag('keep-tokens');
  const password = await readPassword(terminal);
  const error = unstorableTextError(password);
  if (error !== undefined) throw new CommandError(error);
  return inTransaction(orm.em, user, async (em) => {
    await setPassword(em, operatorOf(user.organizationId), user.id, password, { keepTokens });
    return { user: await showUser(em, user) };
  });
}

export const userCommands: readonly Command[] = [
  {
    name: 'user create',
    about: 'creates a user in an organization',
    options: {
      organization: ORGANIZATION,
      email: EMAIL,
      'first-name': { type: 'string', required: true, about: 'first name' },
      'last-name': { type: 'string', required: true, about: 'last name' },
      role: { type: 'string', about: 'id of a global role (UR1)' },
      superuser: { type: 'boolean', about: 'makes the user a super-user' },
    },
    run: create,
  },
  {
    name: 'user list',
    about: 'lists the users of an organization',
    options: { organization: ORGANIZATION },
    run: list,
  },
  {
    name: 'user password',
    about: "sets a user's password from standard input; replacing a password revokes their tokens",
    options: { email: EMAIL, 'keep-tokens': { type: 'boolean', about: 'keeps the tokens of the user' } },
    run: changePassword,
  },
];
