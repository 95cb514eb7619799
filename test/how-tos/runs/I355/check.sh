# Calls servers whose certificate is right, of another authority, self-signed, expired or for another name.
set -eu
command -v openssl > /dev/null || { echo 'openssl is missing' >&2; exit 77; }
. support/rust.sh
for ca in ca other; do
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout $ca.key -out $ca.pem -subj /CN=$ca \
    -addext basicConstraints=critical,CA:true -days 2 2> /dev/null
done
for name in good other-authority expired other-name; do
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout $name.key -out $name.csr -subj /CN=$name \
    2> /dev/null
  ca=ca dns=localhost end=$(date -u -d tomorrow +%Y%m%d%H%M%SZ)
  case $name in
    other-authority) ca=other ;;
    expired) end=$(date -u -d yesterday +%Y%m%d%H%M%SZ) ;;
    other-name) dns=other.example ;;
  esac
  echo "subjectAltName=DNS:$dns" > names.txt
  openssl x509 -req -in $name.csr -CA $ca.pem -CAkey $ca.key -CAcreateserial -extfile names.txt -out $name.pem \
    -not_before "$(date -u -d '3 days ago' +%Y%m%d%H%M%SZ)" -not_after "$end" 2> /dev/null ||
    { echo 'openssl 3.4 or later is missing' >&2; exit 77; }
done
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout self-signed.key -out self-signed.pem \
  -subj /CN=localhost -addext subjectAltName=DNS:localhost -days 2 2> /dev/null
rust_package block_1.toml 'tokio-rustls = { version = "0.26", default-features = false, features = ["ring", "tls12"] }' \
  'rustls-pemfile = "2"'
sed -i 's/"macros", "net"/"io-util", "macros", "net"/' Cargo.toml
cargo clippy --version > /dev/null 2>&1 || { echo 'Clippy is missing' >&2; exit 77; }
# The authority `other` stands for a public one.
SSL_CERT_FILE=$PWD/other.pem cargo run --quiet
cargo clippy --quiet -- -D clippy::disallowed_methods
cp src/clients.rs saved
for bad in 's/checked().tls_built_in_root_certs(false)/&.danger_accept_invalid_certs(true)/' \
  '$a pub fn f() -> Client { Client::new() }' '$a pub async fn f() { let _ = reqwest::get("https://a.example").await; }'; do
  sed "$bad" saved > src/clients.rs
  ! cargo clippy --quiet -- -D clippy::disallowed_methods 2> report
  grep -q 'use of a disallowed method .reqwest::' report || { echo "$bad is accepted" >&2; cat report >&2; exit 1; }
done
