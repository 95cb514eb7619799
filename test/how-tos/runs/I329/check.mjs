import { spawnSync } from 'node:child_process';
import { withPostgres } from './support/postgres.mjs';

/** Ends with the status of a script that did not succeed. */
const run = (script, environment) => {
  const { status } = spawnSync('bash', [script], { env: { ...process.env, ...environment }, stdio: 'inherit' });
  if (status !== 0) process.exitCode = status ?? 1;
  return status === 0;
};

if (run('build.sh')) await withPostgres(async ({ url }) => void run('run.sh', { DATABASE_URL: url }));
