// Generates Prisma's client from `schema.prisma`, and lets it connect without the engines that Prisma downloads.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';

const SCHEMA = 'schema.prisma';

/** Afterward, `new PrismaClient()` connects to the database at `connectionString`. `seen` receives each statement. */
export function connectPrisma(connectionString, seen = () => {}) {
  const prisma = path.resolve('node_modules/prisma/build/index.js');
  // The schema engine is for migrations. Without a path, Prisma downloads it.
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, DATABASE_URL: connectionString };
  execFileSync(process.execPath, [prisma, 'generate', '--no-hints', '--schema', SCHEMA], { env });
  attachPrisma(connectionString, seen);
}

/** The same in another process, after Prisma's client has been generated. */
export function attachPrisma(connectionString, seen = () => {}) {
  const require = createRequire(path.resolve(SCHEMA));
  const { PrismaPg } = require('@prisma/adapter-pg');
  const client = require('@prisma/client');
  client.PrismaClient = class extends client.PrismaClient {
    constructor() {
      super({ adapter: new PrismaPg({ connectionString }), log: [{ emit: 'event', level: 'query' }] });
      this.$on('query', ({ query }) => seen(query));
    }
  };
}
