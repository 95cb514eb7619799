import { Migration } from '@mikro-orm/migrations';
import { importJobMachine } from '../exchange/import-job/import-job.machine.js';

/** Import jobs, and the rows of their files with what each would change. How they are worked on: docs/imports.md. */
export class Migration20261121100000_ImportJobs extends Migration {
  override up(): void {
    this.addSql(`
      CREATE TABLE import_job (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        organization_id bigint NOT NULL REFERENCES organization,
        status text NOT NULL DEFAULT '${importJobMachine.definition.initial}'
          CONSTRAINT import_job_status ${importJobMachine.check},
        triggered_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        triggered_by bigint REFERENCES user_account,
        accepted_at timestamptz,
        accepted_by bigint REFERENCES user_account,
        completed_at timestamptz,
        errors json,
        progress_done integer,
        progress_total integer,
        -- Of one model, or, where it is null, an archive of files.
        model text,
        file_name text NOT NULL,
        -- Where the upload is kept; null once it is kept no longer.
        file_key text,
        -- What the files say of themselves, as far as they were read.
        type text,
        file_format text,
        content_models text[] NOT NULL DEFAULT '{}',
        -- Counts by model and action; null where there is no difference to review.
        summary json,
        -- The taking whose rows are the difference.
        difference_fence integer,
        -- When upload and difference are removed.
        kept_until timestamptz NOT NULL,
        due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        starts integer NOT NULL DEFAULT 0,
        cancel_requested boolean NOT NULL DEFAULT false,
        lease_owner text,
        lease_until timestamptz,
        fence integer NOT NULL DEFAULT 0,
        CONSTRAINT import_job_lease CHECK (lease_until IS NULL OR status IN ('generating_diff', 'applying_changes')),
        CONSTRAINT import_job_checked_by CHECK (status <> 'generating_diff' OR lease_until IS NOT NULL),
        CONSTRAINT import_job_completed CHECK ((status IN ('success', 'fail', 'cancel')) = (completed_at IS NOT NULL)),
        CONSTRAINT import_job_reviewed CHECK (status <> 'ready_for_review' OR summary IS NOT NULL)
      );
      CREATE INDEX import_job_list ON import_job (organization_id, id);
      CREATE INDEX import_job_due ON import_job (due_at) WHERE status IN ('pending', 'generating_diff', 'applying_changes');
      CREATE INDEX import_job_kept ON import_job (kept_until) WHERE file_key IS NOT NULL OR summary IS NOT NULL;

      -- The rows of one taking: another worker that takes the job again writes rows of its own.
      CREATE TABLE import_row (
        job_id bigint NOT NULL REFERENCES import_job ON DELETE CASCADE,
        fence integer NOT NULL,
        position integer NOT NULL,
        model text NOT NULL,
        file text NOT NULL,
        row integer NOT NULL,
        item_id text,
        -- What the file gives of an item that is there: the columns that an import takes, by name. Of a new one, that
        -- stands in its changes.
        given json,
        action text NOT NULL,
        changes json NOT NULL,
        -- The greatest number that the row gives to a match condition.
        greatest_condition integer NOT NULL DEFAULT 0,
        PRIMARY KEY (job_id, fence, position)
      );
      CREATE INDEX import_row_difference ON import_row (job_id, fence, position) WHERE action <> 'unchanged';
    `);
  }
}
