import { Migration } from '@mikro-orm/migrations';

/** Jobs are taken in turn by organization, and the rows of imports are kept no longer than they are needed. */
export class Migration20261123050000_JobTurns extends Migration {
  override up(): void {
    // `due_at` says from when on a worker may take a row; `queued_until`, that it was put on the queue a moment ago.
    for (const table of ['export_job', 'import_job'])
      this.addSql(`
        ALTER TABLE ${table} ADD COLUMN queued_until timestamptz, ADD COLUMN taken_at timestamptz;
        CREATE INDEX ${table}_taken ON ${table} (organization_id, taken_at);
      `);
    this.addSql(`
      -- About how much of the database the job's rows take, and whether rows that only its work needed are gone.
      ALTER TABLE import_job ADD COLUMN staged_bytes bigint NOT NULL DEFAULT 0,
        ADD COLUMN trimmed boolean NOT NULL DEFAULT true;
      CREATE INDEX import_job_untrimmed ON import_job (id) WHERE NOT trimmed;
      UPDATE import_job SET trimmed = false WHERE id IN (SELECT job_id FROM import_row);
    `);
  }
}
