import { Migration } from '@mikro-orm/migrations';

/** What limits failed sign-ins, in all API processes and beyond a restart. */
export class Migration20261122040000_SignInLimits extends Migration {
  override up(): void {
    // Names and types of the columns are those that rate-limiter-flexible expects.
    this.addSql(`
      CREATE TABLE rate_limit (
        key varchar(255) PRIMARY KEY,
        points integer NOT NULL DEFAULT 0,
        expire bigint
      );
    `);
    // Addresses from which a user has signed in with their password: an IPv4 address or an IPv6 network
    this.addSql(`
      CREATE TABLE sign_in_address (
        user_id bigint NOT NULL REFERENCES user_account ON DELETE CASCADE,
        address text NOT NULL,
        last_used_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (user_id, address)
      );
    `);
  }
}
