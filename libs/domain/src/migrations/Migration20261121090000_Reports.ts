import { Migration } from '@mikro-orm/migrations';
import { CHARTS, REPORT_TYPES } from '../report/report.rules.js';

const oneOf = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(', ');

/** Advanced reports: what is saved of them. */
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
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        created_by bigint REFERENCES user_account,
        modified_at timestamptz NOT NULL DEFAULT clock_timestamp()
      );
      CREATE INDEX report_list ON report (organization_id, id);
      CREATE INDEX report_creator ON report (created_by);
    `);
  }
}
