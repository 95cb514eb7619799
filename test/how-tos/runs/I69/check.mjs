// Lists orders in PostgreSQL with ordinary and with hostile values.
import { execFileSync } from 'node:child_process';
import { withPostgres } from './support/postgres.mjs';

const SCHEMA = `
  CREATE TABLE orders (id int PRIMARY KEY, customer_id int NOT NULL, status text NOT NULL, title text NOT NULL,
    created_at timestamptz NOT NULL);
  INSERT INTO orders VALUES (1, 1, 'paid', 'b', '2026-01-02'), (2, 1, 'paid', 'o''Brien''--', '2026-01-01'),
    (3, 1, 'open', 'a', '2026-01-03'), (4, 2, 'paid', 'c', '2026-01-04');
`;
let status = 0;
await withPostgres(async ({ url, pool }) => {
  await pool().query(SCHEMA);
  const address = new URL(url);
  address.searchParams.set('sslmode', 'disable');
  try {
    execFileSync('bash', ['list.sh'], { stdio: 'inherit', env: { ...process.env, DATABASE_URL: address.href } });
  } catch (error) {
    status = error.status;
  }
});
process.exit(status);
