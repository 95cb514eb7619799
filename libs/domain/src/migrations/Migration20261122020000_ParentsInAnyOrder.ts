import { Migration } from '@mikro-orm/migrations';

/** An import may bring an attribute before its parent: then the reference is looked at when the import ends. */
export class Migration20261122020000_ParentsInAnyOrder extends Migration {
  override up(): void {
    this.addSql('ALTER TABLE attribute ALTER CONSTRAINT attribute_parent_id_fkey DEFERRABLE');
  }
}
