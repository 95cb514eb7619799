// Runs the queries of the how-to against a PostgreSQL server of its own. Debian: python3-psycopg.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { withPostgres } from './support/postgres.mjs';

await withPostgres(async ({ url }) => {
  await promisify(execFile)('python3', ['verify.py', url]).catch((error) => {
    process.stderr.write(error.stderr ?? String(error));
    process.exitCode = typeof error.code === 'number' ? error.code : 1;
  });
});
