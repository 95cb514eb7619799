import { Migration } from '@mikro-orm/migrations';
import { CHARTS, REPORT_TYPES } from '../reports/report/report.rules.js';

const oneOf = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(', ');

/** Advanced reports: what is saved of them, and the daily snapshots that trends are read from. */
export class Migration20261121090000_Reports extends Migration {
  override up(): void {
    // `json` and not `jsonb`: a query is answered as it was sent, keys in their order.
    this.addSql(`
      CREATE TABLE report (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        organization_id bigint NOT NULL REFERENCES organization,
        title text NOT NULL,
        description text NOT NULL DEFAULT '',
        query json NOT NULL,
        chart text NOT NULL CHECK (chart IN (${oneOf(CHARTS)})),
        chart_meta json NOT NULL DEFAULT '{}',
        type text NOT NULL DEFAULT 'D' CHECK (type IN (${oneOf(REPORT_TYPES)})),
        created_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        created_by bigint REFERENCES user_account,
        modified_at timestamptz NOT NULL DEFAULT statement_timestamp()
      );
      CREATE INDEX report_list ON report (organization_id, id);
      CREATE INDEX report_creator ON report (created_by);
    `);

    // Names stand in the snapshots, since they outlive what they are of.
    this.addSql(`
      CREATE TABLE trend_project (
        organization_id bigint NOT NULL REFERENCES organization,
        day date NOT NULL,
        project_id bigint NOT NULL,
        project text NOT NULL,
        application_id bigint NOT NULL,
        application text NOT NULL,
        business_unit text NOT NULL,
        phase text,
        status text NOT NULL,
        priority integer,
        PRIMARY KEY (organization_id, day, project_id)
      );
      CREATE TABLE trend_application (
        organization_id bigint NOT NULL REFERENCES organization,
        day date NOT NULL,
        application_id bigint NOT NULL,
        application text NOT NULL,
        business_unit text NOT NULL,
        phase text,
        status text NOT NULL,
        priority integer,
        PRIMARY KEY (organization_id, day, application_id)
      );
      CREATE TABLE trend_task (
        organization_id bigint NOT NULL REFERENCES organization,
        day date NOT NULL,
        project_id bigint NOT NULL,
        phase text NOT NULL,
        status text NOT NULL,
        priority integer NOT NULL,
        total integer NOT NULL,
        PRIMARY KEY (organization_id, day, project_id, phase, status, priority)
      );
      -- As reports count them: read from these in their order, they need not be sorted or hashed. The first two have few
      -- different entries, and are small.
      CREATE INDEX project_countermeasure_states ON project_countermeasure (organization_id, project_id, status_id, accepted);
      CREATE INDEX project_countermeasure_library_states
        ON project_countermeasure (organization_id, countermeasure_id, status_id, accepted);
      CREATE INDEX project_countermeasure_open
        ON project_countermeasure (organization_id, countermeasure_id, project_id) WHERE accepted AND status_id <> 1;
    `);
  }
}
