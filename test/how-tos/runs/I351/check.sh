# Verifies tokens of the issuer, and tokens that differ from them in one point.
set -eu
command -v openssl > /dev/null || { echo 'openssl is missing' >&2; exit 77; }
. support/rust.sh
rust_package block_1.toml 'base64 = "0.22"' 'serde_json = "1"' 'tower = { version = "0.5", features = ["util"] }'
for name in issuer other; do
  openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out $name.key 2> /dev/null
  openssl pkey -in $name.key -pubout -out $name.pem
  openssl pkey -in $name.key -pubout -outform DER -out $name.der
done
cargo run --quiet
