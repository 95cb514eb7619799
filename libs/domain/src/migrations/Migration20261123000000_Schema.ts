import { readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';

const read = (file: string): string => readFileSync(new URL(`../../schema/${file}`, import.meta.url), 'utf8');

/**
 * The schema of the first release. `npm run generate` generates the tables from the entities; the other files
 * contain what entities can't express.
 */
export class Migration20261123000000_Schema extends Migration {
  override up(): void {
    this.addSql('CREATE EXTENSION IF NOT EXISTS pg_trgm');
    for (const file of ['functions.sql', 'tables.sql', 'run-as-owner.sql', 'rows.sql']) this.addSql(read(file));
  }
}
