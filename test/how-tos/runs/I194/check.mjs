// Searches orders in PostgreSQL with ordinary and with hostile values.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { withPostgres } from './support/postgres.mjs';

if (!/^pdo_pgsql$/m.test(spawnSync('php', ['-m'], { encoding: 'utf8' }).stdout ?? '')) {
  process.stderr.write('php with pdo_pgsql is missing\n');
  process.exit(77);
}
const SCHEMA = `
  CREATE TABLE orders (id int PRIMARY KEY, tenant_id int NOT NULL, status text NOT NULL,
    created_at timestamptz NOT NULL, total_cents int NOT NULL);
  INSERT INTO orders VALUES (1, 1, 'paid', '2026-01-02', 30), (2, 1, 'paid', '2026-01-01', 20),
    (3, 1, 'open', '2026-01-03', 10), (4, 2, 'paid', '2026-01-04', 40), (5, 1, 'O''Brien''--', '2026-01-05', 50);
`;
/** The code as published, with the DSN of this server, which is PostgreSQL. */
const code = await readFile('src/Database/orders.php', 'utf8');
await withPostgres(async ({ url, pool }) => {
  await pool().query(SCHEMA);
  const { hostname, port, username, password, pathname } = new URL(url);
  const dsn = `pgsql:host=${hostname};port=${port};dbname=${pathname.slice(1)}`;
  const parts = [
    ["'mysql:host=db.internal;dbname=shop;charset=utf8mb4'", dsn],
    ["'run'", username],
    ["'/run/secrets/mysql-run'", `${process.cwd()}/password`],
  ];
  let own = `<?php ${code}`;
  for (const [part, value] of parts) {
    if (!own.includes(part)) throw new Error(`${part} is missing`);
    own = own.replace(part, () => `'${value}'`);
  }
  await writeFile('password', `${decodeURIComponent(password)}\n`);
  await writeFile('orders.php', own);
  const settings = ['-d', 'zend.assertions=1', '-d', 'assert.exception=1', '-d', 'display_errors=stderr'];
  execFileSync('php', [...settings, 'search.php'], { stdio: ['ignore', 'ignore', 'inherit'] });
});
process.exit();
