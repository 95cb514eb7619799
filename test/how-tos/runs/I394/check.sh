# Connects to servers with good and bad certificates, and to PostgreSQL with and without TLS.
set -eu
for program in php openssl runuser; do
  command -v $program > /dev/null || { echo "$program is missing" >&2; exit 77; }
done
programs=$(find /usr/lib/postgresql -maxdepth 2 -name bin 2> /dev/null | sort -V | tail -1)
if [ -z "$programs" ] || ! id postgres > /dev/null 2>&1; then
  echo 'PostgreSQL is missing' >&2
  exit 77
fi

authority() {
  openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj "/CN=$1" -keyout "$1.key" -out "$1.crt" 2>> openssl.log
}
certificate() { # name, authority, name of the host, validity
  openssl req -newkey rsa:2048 -nodes -subj "/CN=$3" -keyout "$1.key" -out "$1.csr" 2>> openssl.log
  printf 'subjectAltName=DNS:%s' "$3" > "$1.ext"
  # shellcheck disable=SC2086
  openssl x509 -req -in "$1.csr" -CA "$2.crt" -CAkey "$2.key" -extfile "$1.ext" $4 -out "$1.crt" 2>> openssl.log
}
authority trusted
authority unknown
certificate good trusted localhost '-days 1'
certificate name trusted other.example '-days 1'
certificate expired trusted localhost '-not_before 20200101000000Z -not_after 20200201000000Z'
certificate other unknown localhost '-days 1'
openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost -addext subjectAltName=DNS:localhost \
  -keyout self.key -out self.crt 2>> openssl.log

pids=()
folders=()
stop() {
  [ ${#pids[@]} = 0 ] || kill "${pids[@]}" || true
  for folder in "${folders[@]}"; do
    runuser -u postgres -- "$programs/pg_ctl" -D "$folder" -m immediate -w stop > /dev/null || true
    rm -rf "$folder"
  done
}
trap stop EXIT
base=$((20000 + $$ % 20000))
port=$base
for name in good name expired other self; do
  php server.php "$port" "$name" &
  pids+=($!)
  port=$((port + 1))
done
for name in good name other plain; do
  folder=$(mktemp -d)
  chown postgres "$folder"
  folders+=("$folder")
  runuser -u postgres -- "$programs/initdb" -D "$folder" -A trust -N > /dev/null
  options="-p $port -k '' -c listen_addresses=localhost"
  if [ "$name" != plain ]; then
    install -o postgres -m 600 "$name.key" "$folder/server.key"
    install -o postgres -m 644 "$name.crt" "$folder/server.crt"
    options="$options -c ssl=on"
  fi
  runuser -u postgres -- "$programs/pg_ctl" -D "$folder" -o "$options" -w -l "$folder/log" start > /dev/null
  port=$((port + 1))
done
php clients.php "$base"
