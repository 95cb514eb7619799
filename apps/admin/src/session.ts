import { MikroORM } from '@mikro-orm/postgresql';
import { ormOptions } from '#orm';
import { loadConfiguration } from '#platform/configuration.js';
import { openInstallation } from '#platform/installation.js';
import type { Session } from './command.js';

/** A command does one thing after the other; migrating takes two connections. */
const CONNECTIONS = 4;

/** Opens the installation alongside whatever else runs on it, does the work, and lets go of everything. */
export async function withSession<T>(work: (session: Session) => Promise<T>): Promise<T> {
  const configuration = loadConfiguration();
  const installation = await openInstallation(configuration);
  try {
    const { timeZone } = configuration;
    const database = { url: installation.ownerUrl, process: 'admin', poolSize: CONNECTIONS, timeZone } as const;
    // The mapper would write its progress to standard output, which belongs to the result.
    const orm = await MikroORM.init({ ...ormOptions(database), logger: () => undefined });
    try {
      return await work({ configuration, installation, orm });
    } finally {
      await orm.close();
    }
  } finally {
    await installation.close();
  }
}
