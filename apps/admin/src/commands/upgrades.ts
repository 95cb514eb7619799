import { readUpgrades } from '#domain/library/library-upgrade/read-upgrades.js';
import type { Command } from '../command.js';
import { ORGANIZATION, organizationOf } from './choose.js';

export const upgradeCommands: readonly Command[] = [
  {
    name: 'library upgrades',
    about: 'shows changes from releases of the starter library, and the conflicts that an organization must resolve',
    options: { organization: ORGANIZATION },
    run: async ({ orm }, options) => {
      const em = orm.em.fork();
      const organization = await organizationOf(em, options);
      return { organization: organization.id, ...(await readUpgrades(em, organization.id)) };
    },
  },
];
