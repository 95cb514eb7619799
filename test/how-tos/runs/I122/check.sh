# Starts a PostgreSQL server with the files of the how-to. Debian: postgresql-17, openssl.
set -eu
server=$(ls -d /usr/lib/postgresql/*/bin 2> /dev/null | tail -1)
for command in "$server/initdb" openssl psql; do
  command -v "$command" > /dev/null || { echo "${command##*/} is missing" >&2; exit 77; }
done
if [ "$(id -u)" = 0 ]; then as_server() { runuser -u postgres -- "$@"; }; else as_server() { "$@"; }; fi
fail() { echo "$*" >&2; exit 1; }
chmod 755 .
port=$((20000 + $$ % 20000))

authority() { openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj "/CN=$1" -keyout "$1.key" -out "$1.pem" 2> /dev/null; }
authority shop-ca
authority other-ca
openssl req -newkey rsa:2048 -nodes -subj /CN=db.internal -keyout server.key -out server.csr 2> /dev/null
echo subjectAltName=DNS:db.internal > names
openssl x509 -req -days 1 -in server.csr -CA shop-ca.pem -CAkey shop-ca.key -extfile names -out server.pem 2> /dev/null

mkdir data socket tls
cp server.pem server.key tls/
[ "$(id -u)" != 0 ] || chown -R postgres data socket tls
chmod 600 tls/server.key
chmod 700 data
as_server "$server/initdb" -D data -U postgres > initdb.log 2>&1 || fail "$(cat initdb.log)"
sed "s#/etc/postgresql/tls#$PWD/tls#" postgresql.conf > settings.conf
printf '%s\n' "port = $port" "listen_addresses = '127.0.0.1'" "unix_socket_directories = '$PWD/socket'" \
  'dynamic_shared_memory_type = mmap' \
  >> settings.conf
cp settings.conf data/postgresql.conf
# The network of the application is this machine. Peers are users of the system: root may connect as postgres here.
sed -e 's#10.20.0.0/16#127.0.0.1/32#' pg_hba.conf > data/pg_hba.conf
[ "$(id -u)" != 0 ] || chown -R postgres data
as_server "$server/postgres" -D "$PWD/data" > server.log 2>&1 &
started=$!
trap 'as_server "$server/pg_ctl" -D "$PWD/data" -m immediate stop > stop.log 2>&1' EXIT
administrator() { as_server psql -qAt -h "$PWD/socket" -p "$port" -U postgres -v ON_ERROR_STOP=1 "$@"; }
for _ in $(seq 100); do
  administrator -c 'SELECT 1' > /dev/null 2>&1 && break
  kill -0 $started 2> /dev/null || fail "$(cat server.log)"
  sleep 0.1
done
administrator -c "CREATE ROLE shop_app LOGIN PASSWORD 'secret'" -c "CREATE ROLE other LOGIN PASSWORD 'secret'" \
  -c 'CREATE DATABASE shop'
export PGPORT=$port PGPASSWORD=secret PGCONNECT_TIMEOUT=10
[[ $(administrator -c "SELECT rolpassword FROM pg_authid WHERE rolname = 'shop_app'") == SCRAM-SHA-256* ]] || fail 'no SCRAM'

published=$(sed -n 's/^psql "\(.*\)"$/\1/p' block_3.bash)
published=${published/\/etc\/ssl\/shop-ca.pem/$PWD/shop-ca.pem}
[ -n "$published" ] || fail 'no command in the how-to'
query='SELECT ssl, version FROM pg_stat_ssl WHERE pid = pg_backend_pid()'
connect() { psql -qAt -c "$query" "$@" 2>&1; }
[ "$(PGHOSTADDR=127.0.0.1 connect "$published")" = 't|TLSv1.3' ] || fail "$(PGHOSTADDR=127.0.0.1 connect "$published")"

refused() { # what, the message, the address, the connection
  if output=$(PGHOSTADDR=$3 connect "$4"); then fail "$1 connects: $output"; fi
  [[ $output == *"$2"* ]] || fail "$1: $output"
}
rejects='pg_hba.conf rejects connection'
refused 'A connection without TLS' "$rejects" 127.0.0.1 "${published/verify-full/disable} channel_binding=disable"
refused 'Another role' "$rejects" 127.0.0.1 "${published/user=shop_app/user=other}"
refused 'The superuser' "$rejects" 127.0.0.1 "${published/user=shop_app/user=postgres}"
refused 'Another database' "$rejects" 127.0.0.1 "${published/dbname=shop/dbname=postgres}"
refused 'An address as the name' 'does not match host name' 127.0.0.1 "${published/db.internal/127.0.0.1}"
refused 'Another authority' 'certificate verify failed' 127.0.0.1 "${published/shop-ca/other-ca}"
PGPASSWORD=wrong refused 'A wrong password' 'password authentication failed' 127.0.0.1 "$published"
if openssl s_client -starttls postgres -connect "127.0.0.1:$port" -tls1_2 < /dev/null > tls12.log 2>&1; then
  fail 'TLS 1.2 connects'
fi
openssl s_client -starttls postgres -connect "127.0.0.1:$port" -tls1_3 < /dev/null > tls13.log 2>&1 || fail "$(tail -5 tls13.log)"
administrator -c "SET password_encryption = 'md5'" -c "ALTER ROLE shop_app PASSWORD 'secret'"
refused 'An old hash' 'password authentication failed' 127.0.0.1 "${published/channel_binding=require/channel_binding=disable}"

# The published network: this machine is none of it.
cp pg_hba.conf data/pg_hba.conf
administrator -c 'SELECT pg_reload_conf()' > /dev/null
refused 'Another network' "$rejects" 127.0.0.1 "$published"
