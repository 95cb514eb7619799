#!/bin/sh
# Runs once, when the image creates the database. It makes an owner who is no super-user, and takes the super-user's
# password away: psql in the container needs none.
set -eu
psql --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname=postgres --set=password="$POSTGRES_PASSWORD" <<'SQL'
CREATE ROLE merlon LOGIN CREATEROLE PASSWORD :'password';
ALTER DATABASE merlon OWNER TO merlon;
ALTER ROLE CURRENT_USER PASSWORD NULL;
SQL
