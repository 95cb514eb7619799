import { readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';

const read = (file: string): string => readFileSync(new URL(`../../schema/${file}`, import.meta.url), 'utf8');

/**
 * Everything that there is in the first release. The tables are written from the entities by `npm run schema:write`;
 * the other files have what entities can't say.
 */
export class Migration20261123000000_Schema extends Migration {
  override up(): void {
    this.addSql('CREATE EXTENSION IF NOT EXISTS pg_trgm');
    for (const file of ['functions.sql', 'tables.sql', 'rows.sql']) this.addSql(read(file));
  }
}
