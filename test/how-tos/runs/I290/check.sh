# Compiles the code for this machine, and connects to servers whose certificates are right, or wrong in one way.
set -euo pipefail
for command in gcc openssl; do
  command -v "$command" >/dev/null || { echo "needs $command" >&2; exit 77; }
done
[ -e /usr/include/mbedtls/psa_util.h ] || { echo 'needs libmbedtls-dev 3.6' >&2; exit 77; }

exec 2>errors.txt
trap 'cat errors.txt; kill $(jobs -p) 2>/dev/null || true' EXIT

authority() {
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj "/CN=$1" \
    -addext basicConstraints=critical,CA:true -keyout "$1.key" -out "$1.pem"
}
# certificate NAME AUTHORITY HOST [OPTIONS]
certificate() {
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$3" -keyout "$1.key" -out "$1.csr"
  printf 'subjectAltName=DNS:%s\n' "$3" >"$1.ext"
  openssl x509 -req -in "$1.csr" -CA "$2.pem" -CAkey "$2.key" -extfile "$1.ext" -out "$1.pem" ${4:--days 30}
}
authority own
authority foreign
certificate right own device.example.com
certificate name own other.example.com
certificate expired own device.example.com '-not_before 20240101000000Z -not_after 20250101000000Z'
certificate future own device.example.com '-not_before 20990101000000Z -not_after 20991231000000Z'
certificate foreign-server foreign device.example.com
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=device.example.com \
  -addext subjectAltName=DNS:device.example.com -keyout self.key -out self.pem

sed 's/.*/"&\\n" \\/; 1s/^/#define TLS_ROOTS /; $s/ \\$//' own.pem >tls_roots.h
gcc -Wall -Werror -I. main.c tls_client.c -lmbedtls -lmbedx509 -lmbedcrypto -o main

# try CERTIFICATE HOST [ARGUMENT]: starts a server, and connects to it.
try() {
  : >server.txt
  openssl s_server -accept 127.0.0.1:0 -cert "$1.pem" -key "$1.key" -www ${4:-} >>server.txt 2>&1 &
  local server=$! port status=0
  until port=$(sed -n 's/^ACCEPT 127\.0\.0\.1:\([0-9]*\).*/\1/p' server.txt) && [ -n "$port" ]; do
    kill -0 "$server"
    sleep 0.05
  done
  ./main "$port" "$2" ${3:-} >result.txt || status=$?
  kill "$server" 2>/dev/null || true
  return "$status"
}
# -9984 is MBEDTLS_ERR_X509_CERT_VERIFY_FAILED.
refused() {
  local expected=$1
  shift
  if try "$@"; then echo "accepted: $*"; exit 1; fi
  [ "$(cat result.txt)" = "$expected" ] || { echo "$*: $(cat result.txt) in place of $expected"; exit 1; }
}
try right device.example.com || { echo "refused: $(cat result.txt)"; exit 1; }
try right device.example.com '' -tls1_2 || { echo "refused with TLS 1.2: $(cat result.txt)"; exit 1; }
refused -9984 name device.example.com
refused -9984 right other.example.com
refused -9984 expired device.example.com
refused -9984 future device.example.com
refused -9984 foreign-server device.example.com
refused -9984 self device.example.com
refused -27648 right device.example.com unset

# A build that would not look at dates is refused by the compiler.
mkdir without && sed 's/^#define MBEDTLS_HAVE_TIME_DATE//' /usr/include/mbedtls/mbedtls_config.h >without/config.h
if gcc -I. "-DMBEDTLS_CONFIG_FILE=\"$PWD/without/config.h\"" -c tls_client.c -o without/tls.o 2>without/errors.txt; then
  echo 'compiled without MBEDTLS_HAVE_TIME_DATE'
  exit 1
fi
grep -q 'accepts expired certificates' without/errors.txt
