import { Migration } from '@mikro-orm/migrations';

/** Which public catalogs were imported, from where and under what terms. */
export class Migration20261121120000_Catalogs extends Migration {
  override up(): void {
    this.addSql(`
      CREATE TABLE catalog_import (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        -- Null for catalogs that the whole deployment shares.
        organization_id bigint REFERENCES organization,
        kind text NOT NULL,
        name text NOT NULL,
        version text NOT NULL,
        licence text NOT NULL,
        entries integer NOT NULL,
        imported_at timestamptz NOT NULL DEFAULT clock_timestamp()
      );
      CREATE UNIQUE INDEX catalog_import_source ON catalog_import (kind, organization_id, name, version) NULLS NOT DISTINCT;
      CREATE INDEX catalog_import_organization ON catalog_import (organization_id);
    `);
  }
}
