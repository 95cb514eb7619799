import { Migration } from '@mikro-orm/migrations';

/** What projects' own countermeasures are numbered by, and tags that a project has not set for itself. */
export class Migration20261121063000_ProjectCountermeasures extends Migration {
  override up(): void {
    this.addSql(`
      -- The number of the last countermeasure of the project's own: none is used again, also after a delete.
      ALTER TABLE project ADD COLUMN last_countermeasure_number integer NOT NULL DEFAULT 0;
      -- Null: the tags that the library gives.
      ALTER TABLE project_countermeasure ALTER COLUMN tags DROP NOT NULL, ALTER COLUMN tags DROP DEFAULT;
      CREATE INDEX project_countermeasure_phase ON project_countermeasure (phase_id) WHERE phase_id IS NOT NULL;
    `);
  }
}
