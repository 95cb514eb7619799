import { createOrganization, MAX_ORGANIZATION_NAME_LENGTH } from '#domain/access/organization/organization.commands.js';
import { findOrganizations } from '#domain/access/organization/find-organization.js';
import { operatorOf } from '#domain/kernel/operator.js';
import { createToken } from '#domain/access/token/token.commands.js';
import { acrossOrganizations } from '#domain/kernel/across-organizations.js';
import { MAX_PERSON_NAME_LENGTH } from '#domain/access/user/user.rules.js';
import type { Command, Options } from '../command.js';
import { showUser } from '../show.js';
import { EMAIL, emailOf } from '../user-options.js';

/** More than any deployment has. */
const MAX_ORGANIZATIONS = 100_000;

const inputOf = (options: Options) => ({
  name: options.required('name', MAX_ORGANIZATION_NAME_LENGTH),
  admin: {
    email: emailOf(options),
    first_name: options.text('first-name', MAX_PERSON_NAME_LENGTH) ?? 'Admin',
    last_name: options.text('last-name', MAX_PERSON_NAME_LENGTH) ?? 'User',
  },
});

export const organizationCommands: readonly Command[] = [
  {
    name: 'organization create',
    about: 'creates an organization with a super-user, and shows their token once',
    options: {
      name: { type: 'string', required: true, about: 'name of the organization' },
      email: EMAIL,
      'first-name': { type: 'string', about: 'first name of the super-user (Admin)' },
      'last-name': { type: 'string', about: 'last name of the super-user (User)' },
    },
    run: ({ orm }, options) => {
      const input = inputOf(options);
      return acrossOrganizations(orm.em, 'operate the deployment', async (em) => {
        const { organizationId, userId } = await createOrganization(em, input);
        const { token } = await createToken(em, operatorOf(organizationId), String(userId), { name: 'First token' });
        const user = await showUser(em, { id: userId, organizationId });
        return { organization: { id: organizationId, name: input.name }, user, token };
      });
    },
  },
  {
    name: 'organization list',
    about: 'lists the organizations, oldest first',
    options: {},
    run: async ({ orm }) => ({ organizations: await findOrganizations(orm.em.fork(), MAX_ORGANIZATIONS) }),
  },
];
