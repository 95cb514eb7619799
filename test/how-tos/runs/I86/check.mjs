// Compiles the statements against PostgreSQL, and runs them with ordinary and with hostile values.
import { spawnSync } from 'node:child_process';
import { withPostgres } from './support/postgres.mjs';

const SCHEMA = `CREATE TABLE orders (id bigint PRIMARY KEY, customer_id bigint NOT NULL, title text NOT NULL,
  status text NOT NULL, total_cents bigint NOT NULL, created_at timestamptz NOT NULL);
  INSERT INTO orders VALUES (1, 1, 'book', 'open', 300, '2026-01-01'), (2, 1, 'O''Brien''--', 'paid', 100, '2026-01-02'),
  (3, 1, 'pen', 'open', 200, '2026-01-03'), (4, 2, 'book', 'open', 50, '2026-01-04')`;

await withPostgres(async ({ url, pool }) => {
  await pool().query(SCHEMA);
  const { status } = spawnSync('bash', ['run.sh'], { env: { ...process.env, DATABASE_URL: url }, stdio: 'inherit' });
  if (status !== 0) process.exitCode = status ?? 1;
});
