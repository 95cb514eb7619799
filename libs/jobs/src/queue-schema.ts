import { assertSchemaCompatibility, LATEST_SCHEMA_VERSION, runMigrations, SchemaMigrationRequiredError } from 'bullmq';
import { Client, escapeIdentifier } from 'pg';
import { JOBS } from './jobs.js';

/** The schema of the queue's tables, in the same database as the product's. */
export const QUEUE_SCHEMA = 'bullmq';

/**
 * Creates or migrates the tables of the queue on PostgreSQL, under a separate lock. If they are up to date it only
 * reads, so that a worker whose database user may not create tables can start after `admin migrate`.
 *
 * @param applicationRole the role of the API and the worker, which receives its rights; undefined if that is the owner
 *   itself
 */
export async function prepareQueueSchema(databaseUrl: string, applicationRole?: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    if ((await versionOf(client)) < LATEST_SCHEMA_VERSION) await runMigrations(client, QUEUE_SCHEMA);
    if (applicationRole !== undefined) await grantRights(client, applicationRole);
  } finally {
    await client.end();
  }
}

/**
 * Creates the sequences that number a queue's jobs. BullMQ would create them with the first job, which the role may not
 * do.
 */
async function grantRights(client: Client, applicationRole: string): Promise<void> {
  const role = escapeIdentifier(applicationRole);
  const { rows } = await client.query<{ sequence: string }>(
    `SELECT quote_ident(${QUEUE_SCHEMA}.job_id_seq_name(name)) AS sequence FROM unnest($1::text[]) name`,
    [JOBS.map(({ name }) => name)],
  );
  const sequences = rows.map(({ sequence }) => `CREATE SEQUENCE IF NOT EXISTS ${QUEUE_SCHEMA}.${sequence}`);
  await client.query(
    [
      `SELECT pg_advisory_xact_lock(hashtext('${QUEUE_SCHEMA} rights'))`,
      ...sequences,
      `GRANT USAGE ON SCHEMA ${QUEUE_SCHEMA} TO ${role}`,
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${QUEUE_SCHEMA} TO ${role}`,
      `REVOKE INSERT, UPDATE, DELETE ON ${QUEUE_SCHEMA}.migration FROM ${role}`,
      `GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ${QUEUE_SCHEMA} TO ${role}`,
    ].join(';\n'),
  );
}

async function versionOf(client: Client): Promise<number> {
  try {
    return await assertSchemaCompatibility(client, QUEUE_SCHEMA);
  } catch (error) {
    if (error instanceof SchemaMigrationRequiredError) return 0;
    throw error;
  }
}
