-- What PostgreSQL runs as the owner of the tables for other roles. Their temporary tables and views come first in every
-- search path that does not name pg_temp, so none of this may look up a name there. Run after tables.sql.

-- E-mail addresses are unique in the deployment, but a transaction cannot see users of other organizations. This
-- function therefore runs as its owner, and reveals nothing else. A body of this form refers to the table itself and not
-- to its name.
CREATE FUNCTION email_is_taken(address text, except_user bigint) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = pg_catalog, pg_temp
RETURN EXISTS (SELECT 1 FROM user_account WHERE lower(email) = lower(address) AND id <> except_user);
REVOKE ALL ON FUNCTION email_is_taken FROM PUBLIC;

-- A foreign key changes the rows that refer to a deleted one as the owner of their table, and from PostgreSQL 18 on,
-- their triggers run as the owner too.
DO $$
DECLARE
  trigger_function regprocedure;
BEGIN
  FOR trigger_function IN
    SELECT DISTINCT tgfoid FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
    WHERE relnamespace = quote_ident(current_schema())::regnamespace AND NOT tgisinternal
  LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = pg_catalog, %I, pg_temp', trigger_function, current_schema());
  END LOOP;
END $$;
