# Loads images from a public server, and tries to reach all others.
set -eu
command -v openssl > /dev/null || { echo 'openssl is missing' >&2; exit 77; }
. support/rust.sh
rust_package block_1.toml 'tokio-rustls = { version = "0.26", default-features = false, features = ["ring", "tls12"] }' \
  'rustls-pemfile = "2"'
sed -i 's/"time"/"io-util", "time"/' Cargo.toml
cargo build --quiet
bash support/own-network.sh env SSL_CERT_FILE=ca.pem HTTPS_PROXY=http://127.0.0.1:9 "$CARGO_TARGET_DIR/debug/check"
