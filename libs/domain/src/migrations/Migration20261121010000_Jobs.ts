import { Migration } from '@mikro-orm/migrations';
import { exportJobMachine } from '../exchange/export-job/export-job.machine.js';

/** Export jobs. The rows are the truth; the queue only wakes a worker: docs/jobs.md. */
export class Migration20261121010000_Jobs extends Migration {
  override up(): void {
    this.addSql(`
      CREATE TABLE export_job (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        organization_id bigint NOT NULL REFERENCES organization,
        status text NOT NULL DEFAULT '${exportJobMachine.definition.initial}'
          CONSTRAINT export_job_status ${exportJobMachine.check},
        type text NOT NULL,
        file_format text NOT NULL,
        content_models text[] NOT NULL,
        triggered_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        triggered_by bigint REFERENCES user_account,
        completed_at timestamptz,
        errors json,
        progress_done integer,
        progress_total integer,
        -- When the relay shall look at it: at once, when it shall be tried again, when its lease has run out.
        due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        -- How often a worker has taken it since it was triggered.
        starts integer NOT NULL DEFAULT 0,
        cancel_requested boolean NOT NULL DEFAULT false,
        -- Who works on it and until when. The fence counts every taking: a worker that wakes up late holds an old one.
        lease_owner text,
        lease_until timestamptz,
        fence integer NOT NULL DEFAULT 0,
        file_key text,
        file_bytes bigint,
        file_etag text,
        file_expires_at timestamptz,
        CONSTRAINT export_job_lease CHECK ((status = 'in_progress') = (lease_until IS NOT NULL)),
        CONSTRAINT export_job_completed CHECK ((status IN ('pending', 'in_progress')) = (completed_at IS NULL)),
        CONSTRAINT export_job_file CHECK (file_key IS NULL OR status = 'success')
      );
      CREATE INDEX export_job_list ON export_job (organization_id, id);
      CREATE INDEX export_job_due ON export_job (due_at) WHERE status IN ('pending', 'in_progress');
      CREATE INDEX export_job_file ON export_job (file_expires_at) WHERE file_key IS NOT NULL;
    `);
  }
}
