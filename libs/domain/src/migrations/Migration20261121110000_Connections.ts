import { Migration } from '@mikro-orm/migrations';

/** Connectors to verification tools and issue trackers, and scans of repositories: docs/connections.md. */
export class Migration20261121110000_Connections extends Migration {
  override up(): void {
    this.addSql(`
      CREATE TABLE connector (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        organization_id bigint NOT NULL REFERENCES organization,
        kind text NOT NULL CHECK (kind IN ('analysis', 'issue_tracker')),
        name text NOT NULL,
        system text NOT NULL,
        -- As answers show them, with a mask in place of every secret.
        params jsonb NOT NULL,
        -- The secrets by name, as JSON. Sealed: see SecretBox.
        sealed_secrets text NOT NULL,
        inaccessible boolean NOT NULL DEFAULT false
      );
      CREATE INDEX connector_list ON connector (organization_id, kind, id);

      -- What teams that begin want to have scanned.
      CREATE TABLE onboarding_scan (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint NOT NULL REFERENCES project ON DELETE CASCADE,
        connector_id bigint REFERENCES connector ON DELETE SET NULL,
        repository_url text NOT NULL,
        status text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT statement_timestamp()
      );
      CREATE INDEX onboarding_scan_project ON onboarding_scan (project_id, id);
      CREATE INDEX onboarding_scan_connector ON onboarding_scan (connector_id);
    `);
  }
}
