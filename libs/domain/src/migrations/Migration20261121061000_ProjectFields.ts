import { Migration } from '@mikro-orm/migrations';

/** Diagrams of projects. */
export class Migration20261121061000_ProjectFields extends Migration {
  override up(): void {
    this.addSql(`
      CREATE TABLE project_diagram (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id bigint NOT NULL REFERENCES project ON DELETE CASCADE,
        name text NOT NULL,
        diagram_data jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        updated_at timestamptz NOT NULL DEFAULT statement_timestamp()
      );
      CREATE INDEX project_diagram_project ON project_diagram (project_id, id);
    `);
  }
}
