import { Migration } from '@mikro-orm/migrations';
import { fillSummaries } from '../reports/trend/trend-summaries.js';

/** What reports on many countermeasures and activities are read by. */
export class Migration20261121130000_ReportSpeed extends Migration {
  override up(): void {
    // That there is one original of each lets the planner leave it out where a report asks for nothing of it: it trusts
    // in equality and in whole indexes alone, so that null has to be a number here.
    this.addSql(`
      CREATE UNIQUE INDEX countermeasure_version_of ON countermeasure_version (countermeasure_id, (coalesce(organization_id, 0)))`);

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

    this.addSql(`
      -- What trend_task holds, counted again without what long trends seldom ask for: its projects, and one part of the rest.
      CREATE TABLE trend_task_application (
        organization_id bigint NOT NULL REFERENCES organization,
        day date NOT NULL,
        application text,
        business_unit text,
        status text NOT NULL,
        total integer NOT NULL
      );
      CREATE INDEX trend_task_application_day ON trend_task_application (organization_id, day);
      CREATE TABLE trend_task_phase (
        organization_id bigint NOT NULL REFERENCES organization,
        day date NOT NULL,
        phase text NOT NULL,
        status text NOT NULL,
        priority integer NOT NULL,
        total integer NOT NULL
      );
      CREATE INDEX trend_task_phase_day ON trend_task_phase (organization_id, day);
    `);
    for (const statement of fillSummaries('SELECT DISTINCT organization_id, day FROM trend_task'))
      this.addSql(statement);
  }
}
