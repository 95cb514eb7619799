import { loadLibrary } from '#content/library/load/load-library.js';
import { createSetupLink, isSetupRequired } from '#domain/access/setup-link/setup-link.commands.js';
import { setUpDeployment } from '#domain/access/deployment/deployment.commands.js';
import { addMissingRiskPolicies } from '#domain/projects/risk-policy/default-risk-policy.js';
import { acrossOrganizations } from '#domain/kernel/across-organizations.js';
import { publicOrigin } from '#platform/public-origin.js';
import { type Command, CommandError } from '../command.js';
import { prepareDatabase } from '../prepare-database.js';

export const setupCommands: readonly Command[] = [
  {
    name: 'setup',
    about: 'migrates the database; if it is empty, creates the first organization, super-user and token',
    options: {},
    anySchema: true,
    run: async (session) => {
      const { configuration, deployment, orm } = session;
      const migrations = await prepareDatabase(session);
      const admin = {
        email: configuration.adminEmail,
        token: deployment.adminToken,
        password: configuration.adminPassword,
      };
      const { fresh, organizationId, userId, tokenAdded } = await acrossOrganizations(
        orm.em,
        'operate the deployment',
        async (em) => {
          const installed = await setUpDeployment(em, admin);
          // Organizations created by older releases have none.
          await addMissingRiskPolicies(em);
          return installed;
        },
      );
      const library = await loadLibrary(orm.em.fork());
      return { fresh, migrations, library, organization: organizationId, user: userId, token_added: tokenAdded };
    },
  },
  {
    name: 'setup-link',
    about: 'creates a link for one hour that creates the first super-user with a password; replaces the one before',
    options: {},
    run: ({ configuration, orm }) =>
      acrossOrganizations(orm.em, 'operate the deployment', async (em) => {
        if (!(await isSetupRequired(em)))
          throw new CommandError('Someone can sign in already. "user password" sets the password of a user.');
        const { token, expires } = await createSetupLink(em);
        return { url: `${publicOrigin(configuration)}/setup#${token}`, expires };
      }),
  },
  {
    name: 'migrate',
    about: 'migrates the schema of the database, and does nothing else',
    options: {},
    anySchema: true,
    run: async (session) => ({ migrations: await prepareDatabase(session) }),
  },
  {
    name: 'library load',
    about: 'loads the starter library that comes with this release',
    options: {},
    run: ({ orm }) => loadLibrary(orm.em.fork()),
  },
];
