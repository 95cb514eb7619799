import { Migration } from '@mikro-orm/migrations';
import { libraryUpgradeMachine } from '../library/library-upgrade/library-upgrade.machine.js';

/** What releases of the starter library have changed, and where organizations had changed the same. */
export class Migration20261121125000_LibraryUpgrades extends Migration {
  override up(): void {
    this.addSql(`
      CREATE TABLE release_change (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        kind text NOT NULL,
        -- Internal id of the item: originals are never deleted.
        identity bigint NOT NULL,
        item_id text NOT NULL,
        title text NOT NULL,
        field text NOT NULL,
        from_value jsonb NOT NULL,
        to_value jsonb NOT NULL,
        -- Of the original, since this change.
        revision integer NOT NULL,
        released_at timestamptz NOT NULL DEFAULT statement_timestamp()
      );
      CREATE INDEX release_change_item ON release_change (kind, identity, field);
      CREATE TABLE library_upgrade (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        organization_id bigint NOT NULL REFERENCES organization,
        release_change_id bigint NOT NULL REFERENCES release_change,
        status text NOT NULL DEFAULT 'open' ${libraryUpgradeMachine.check},
        resolved_at timestamptz,
        resolved_by bigint REFERENCES user_account,
        UNIQUE (release_change_id, organization_id)
      );
      CREATE INDEX library_upgrade_organization ON library_upgrade (organization_id, status);
      CREATE INDEX library_upgrade_resolved_by ON library_upgrade (resolved_by) WHERE resolved_by IS NOT NULL;
    `);
  }
}
