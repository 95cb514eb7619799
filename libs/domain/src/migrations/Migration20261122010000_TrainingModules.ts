import { Migration } from '@mikro-orm/migrations';

/** Training modules, which organizations import: none ship, and they have no versions. */
export class Migration20261122010000_TrainingModules extends Migration {
  override up(): void {
    this.addSql(`
      CREATE TABLE training_module (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        organization_id bigint NOT NULL REFERENCES organization,
        number integer NOT NULL,
        item_id text NOT NULL GENERATED ALWAYS AS ('CTM' || number::text) STORED,
        title text NOT NULL,
        description text NOT NULL DEFAULT '',
        url text NOT NULL DEFAULT '',
        active boolean NOT NULL DEFAULT true,
        UNIQUE (organization_id, number)
      );
      CREATE UNIQUE INDEX training_module_item_id ON training_module (item_id, organization_id);
      CREATE TABLE training_module_countermeasure (
        training_module_id bigint NOT NULL REFERENCES training_module ON DELETE CASCADE,
        countermeasure_id bigint NOT NULL REFERENCES countermeasure ON DELETE CASCADE,
        PRIMARY KEY (training_module_id, countermeasure_id)
      );
      CREATE INDEX training_module_countermeasure_item ON training_module_countermeasure (countermeasure_id);
    `);
  }
}
