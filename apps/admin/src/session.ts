import { MikroORM } from '@mikro-orm/postgresql';
import { ormOptions } from '#orm';
import { loadConfiguration } from '#platform/configuration.js';
import { openDeployment } from '#platform/deployment.js';
import type { Session, Terminal } from './command.js';

/** Commands run their steps in sequence; migrations use two connections. */
const CONNECTIONS = 4;

/** Opens the deployment next to any other process that uses it, runs the work, and closes everything. */
export async function withSession<T>(terminal: Terminal, work: (session: Session) => Promise<T>): Promise<T> {
  const configuration = loadConfiguration(terminal.env);
  const deployment = await openDeployment(configuration);
  try {
    const { timeZone } = configuration;
    const database = { url: deployment.ownerUrl, process: 'admin', poolSize: CONNECTIONS, timeZone } as const;
    // The ORM would log its progress to standard output, which is reserved for the result.
    const orm = await MikroORM.init({ ...ormOptions(database), logger: () => undefined });
    try {
      return await work({ terminal, configuration, deployment, orm });
    } finally {
      await orm.close();
    }
  } finally {
    await deployment.close();
  }
}
