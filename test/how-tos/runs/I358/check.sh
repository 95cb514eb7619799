set -eu
. support/rust.sh
rust_package block_1.toml 'tower = { version = "0.5", features = ["util"] }' 'serde_json = "1"' \
  'proptest = { version = "1", default-features = false, features = ["std"] }'
cargo clippy --version > /dev/null 2>&1 || { echo 'Clippy is missing' >&2; exit 77; }
cargo run --quiet
cp src/orders.rs saved
echo 'mod orders; fn main() { let _ = orders::routes; }' > src/main.rs
cargo clippy --quiet -- -D clippy::disallowed_types
for bad in 'Json<serde_json::Value>' 'axum::body::Bytes' 'axum::extract::RawQuery'; do
  { cat saved; printf 'pub async fn bad(_: %s) {}\n' "$bad"; } > src/orders.rs
  ! cargo clippy --quiet -- -D clippy::disallowed_types 2> report
  grep -q 'use of a disallowed type' report || { echo "$bad is accepted" >&2; cat report >&2; exit 1; }
done
