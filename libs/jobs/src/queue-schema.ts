import { assertSchemaCompatibility, LATEST_SCHEMA_VERSION, runMigrations, SchemaMigrationRequiredError } from 'bullmq';
import { Client } from 'pg';

/** The schema of the queue's own tables, beside those of the product. */
export const QUEUE_SCHEMA = 'bullmq';

/**
 * Makes the tables of the queue on PostgreSQL, or brings them up to date, under a lock of its own. Where they are as
 * they should be it only looks, so a worker whose database user may not make tables starts after `admin migrate`.
 */
export async function prepareQueueSchema(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    if ((await versionOf(client)) < LATEST_SCHEMA_VERSION) await runMigrations(client, QUEUE_SCHEMA);
  } finally {
    await client.end();
  }
}

async function versionOf(client: Client): Promise<number> {
  try {
    return await assertSchemaCompatibility(client, QUEUE_SCHEMA);
  } catch (error) {
    if (error instanceof SchemaMigrationRequiredError) return 0;
    throw error;
  }
}
