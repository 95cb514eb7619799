import { loadLibrary } from '#content/library/load/load-library.js';
import { setUpDeployment } from '#domain/access/organization/deployment.commands.js';
import { addMissingRiskPolicies } from '#domain/projects/risk-policy/default-risk-policy.js';
import { acrossOrganizations } from '#domain/kernel/across-organizations.js';
import type { Command } from '../command.js';
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
