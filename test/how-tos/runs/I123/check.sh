# Starts Redis with both files, on a socket and a port of its own, and calls it as each user over TLS.
set -eu
command -v redis-server openssl > /dev/null || { echo 'redis-server or openssl is missing' >&2; exit 77; }
port=$((20000 + $$ % 20000))
openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 \
  -keyout tls.key -out tls.crt 2> openssl.log
cp block_1.text users.acl
sed -e "s/^bind .*/bind 127.0.0.1/" -e "s/^tls-port .*/tls-port $port/" -e "s#/tls/ca.crt#$PWD/tls.crt#" \
  -e "s#/tls/#$PWD/#" -e "s#/etc/redis/#$PWD/#" redis.conf > own.conf
redis-server own.conf --save '' --dir "$PWD" > redis.log 2>&1 &
server=$!
trap 'kill $server' EXIT

tls=(redis-cli -h 127.0.0.1 -p "$port" --tls --cacert tls.crt --cert tls.crt --key tls.key --no-auth-warning)
for _ in $(seq 100); do "${tls[@]}" PING > /dev/null 2>&1 && break; sleep 0.1; done
as() { local user=$1 password=$2; shift 2; "${tls[@]}" --user "$user" --pass "$password" "$@" 2>&1; }
expect() { local wanted=$1; shift; local got; got=$("$@" || true); [[ $got == *$wanted* ]] || { echo "$*: $got" >&2; exit 1; }; }

expect OK as orders password SET orders:1 x
expect x as orders password GET orders:1
expect NOPERM as orders password GET billing:1
for words in 'KEYS *' 'SCAN 0' RANDOMKEY FLUSHALL 'FUNCTION FLUSH' 'CONFIG GET *' 'EVAL return 0'; do
  set -f
  # shellcheck disable=SC2086
  expect NOPERM as orders password $words
  set +f
done
expect PONG as metrics secret PING
expect NOPERM as metrics secret GET orders:1
expect WRONGPASS as orders wrong GET orders:1
expect NOAUTH "${tls[@]}" GET orders:1
! timeout 5 redis-cli -h 127.0.0.1 -p "$port" --user orders --pass password GET orders:1 2> plain.log | grep -qx x
