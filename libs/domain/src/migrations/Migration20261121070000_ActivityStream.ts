import { Migration } from '@mikro-orm/migrations';

/**
 * An index for each filter of the activity stream, in the order of the stream: a page reads little but its own rows. The name
 * stands last in all of them, so that where it is asked for too, other names are passed over without a look at their rows.
 */
const RANGES: Readonly<Record<string, string>> = {
  actor: 'actor_id',
  project: "(data ->> 'project')",
  application: "(data ->> 'application')",
  user: "(data ->> 'user')",
  standard: "(data ->> 'standard')",
};

/** What the activity stream is read by. See docs/adr/0018-streams-read-one-state.md. */
export class Migration20261121070000_ActivityStream extends Migration {
  override up(): void {
    // Rows that are there already have no transaction: none that wrote them can still be running.
    this.addSql('ALTER TABLE activity ADD COLUMN transaction_id xid8');
    // By a trigger and not by default, so that rows which a restore brings along are its own transaction's: numbers of
    // transactions mean nothing in another cluster.
    this.addSql(`
      CREATE FUNCTION activity_transaction() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.transaction_id := pg_current_xact_id();
        RETURN NEW;
      END $$;
      CREATE TRIGGER activity_transaction BEFORE INSERT ON activity
        FOR EACH ROW EXECUTE FUNCTION activity_transaction();
    `);
    this.addSql(`
      CREATE INDEX activity_stream_name ON activity (organization_id, name, occurred_at DESC, id DESC)`);
    for (const [filter, column] of Object.entries(RANGES))
      this.addSql(`
        CREATE INDEX activity_stream_${filter} ON activity (organization_id, ${column}, occurred_at DESC, id DESC, name)
          WHERE ${column} IS NOT NULL`);
    this.addSql(`CREATE INDEX activity_search ON activity USING gin ((name || E'\\n' || text) gin_trgm_ops)`);
  }
}
