import { Migration } from '@mikro-orm/migrations';

/** Reads a list from a cursor in pieces of so many bytes: rows can be large, and how large is known only once they are read. */
export class Migration20261123010000_PiecesOfLists extends Migration {
  override up(): void {
    this.addSql(`
      CREATE FUNCTION fetch_piece(list refcursor, bytes integer) RETURNS SETOF text LANGUAGE plpgsql AS $$
      DECLARE
        row_text text;
        total integer := 0;
      BEGIN
        WHILE total < bytes LOOP
          FETCH list INTO row_text;
          EXIT WHEN NOT FOUND;
          total := total + octet_length(row_text);
          RETURN NEXT row_text;
        END LOOP;
      END $$`);
  }
}
