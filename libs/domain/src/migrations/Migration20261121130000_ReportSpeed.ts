import { Migration } from '@mikro-orm/migrations';

/** What reports on many countermeasures and activities are read by. */
export class Migration20261121130000_ReportSpeed extends Migration {
  override up(): void {
    // That there is one original of each lets the planner leave it out where a report asks for nothing of it.
    this.addSql(`
      CREATE UNIQUE INDEX countermeasure_version_original ON countermeasure_version (countermeasure_id)
        WHERE organization_id IS NULL`);

    this.addSql(`
      -- Activities, counted by the hour: those before the horizon, which has no row while nothing is counted.
      CREATE TABLE activity_hour (
        organization_id bigint NOT NULL REFERENCES organization,
        hour timestamptz NOT NULL,
        name text NOT NULL,
        log_level text NOT NULL,
        total integer NOT NULL,
        PRIMARY KEY (organization_id, hour, name, log_level)
      );
      CREATE TABLE activity_hour_horizon (
        counted_until timestamptz NOT NULL
      );
      CREATE UNIQUE INDEX activity_hour_horizon_one ON activity_hour_horizon ((true));
    `);
  }
}
