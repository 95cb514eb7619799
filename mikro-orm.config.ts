import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, type Options } from '@mikro-orm/postgresql';
import { entities } from '#domain/entities.js';
import { releaseLostConnections } from '#platform/lost-connections.js';
import { migrations } from '#domain/migrations/index.js';

/** How one process reaches the database. */
export interface DatabaseSettings {
  readonly url: string;
  /** Greatest number of connections. */
  readonly poolSize: number;
  /** IANA name; timestamps are written and local times are read in it. */
  readonly timeZone: string;
}

/** Options of the object-relational mapper. */
export const ormOptions = ({ url, poolSize, timeZone }: DatabaseSettings): Options =>
  defineConfig({
    clientUrl: url,
    entities,
    extensions: [Migrator],
    migrations: { migrationsList: migrations, snapshot: false },
    pool: { min: 0, max: poolSize },
    driverOptions: { options: `-c TimeZone=${timeZone}`, onPoolCreated: releaseLostConnections },
    ensureDatabase: false,
  });
