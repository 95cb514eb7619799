import { deactivateIdentityProvider } from '#domain/access/identity-provider/identity-provider.commands.js';
import { identityProviderProjection } from '#domain/access/identity-provider/identity-provider.projection.js';
import { findSignInProvider } from '#domain/access/identity-provider/sign-in-provider.js';
import { findOrganizations } from '#domain/access/organization/find-organization.js';
import { acrossOrganizations } from '#domain/kernel/across-organizations.js';
import { OPERATOR_ID, operatorOf } from '#domain/kernel/operator.js';
import { type Command, CommandError } from '../command.js';
import { showList } from '../show.js';

/** Longer than any id. */
const MAX_ID_LENGTH = 100;

/** Organizations whose providers are listed. */
const MAX_ORGANIZATIONS = 1000;

export const identityProviderCommands: readonly Command[] = [
  {
    name: 'identity-provider list',
    about: 'lists the identity providers of the organizations',
    options: {},
    run: async ({ orm }) => {
      const em = orm.em.fork();
      const organizations = await findOrganizations(em, MAX_ORGANIZATIONS);
      return {
        organizations: await Promise.all(
          organizations.map(async ({ id, name }) => ({
            id,
            name,
            identity_providers: await showList(em, identityProviderProjection, {
              id: OPERATOR_ID,
              organizationId: id,
              isSuperUser: true,
            }),
          })),
        ),
      };
    },
  },
  {
    name: 'identity-provider disable',
    about: 'ends signing in with an identity provider; sessions stay',
    options: { id: { type: 'string', required: true, about: 'id of the provider, from `identity-provider list`' } },
    run: ({ orm }, options) => {
      const id = options.required('id', MAX_ID_LENGTH);
      return acrossOrganizations(orm.em, 'operate the deployment', async (em) => {
        const provider = await findSignInProvider(em, id);
        if (!provider) throw new CommandError(`--id: the identity provider "${id}" does not exist.`);
        await deactivateIdentityProvider(em, operatorOf(provider.organizationId), id);
        return { identity_provider: { id: provider.id, name: provider.name, active: false } };
      });
    },
  },
];
