import { Migration } from '@mikro-orm/migrations';

/** Rows of an import can be large: they are read as many at once as memory has room for. */
export class Migration20261122030000_SizesOfImportRows extends Migration {
  override up(): void {
    // Bytes of what the file gives and of the changes
    this.addSql('ALTER TABLE import_row ADD COLUMN size integer NOT NULL DEFAULT 0');
  }
}
