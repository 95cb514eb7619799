set -eu
. support/rust.sh
rust_package block_1.toml
sed -i '1a #![allow(clippy::disallowed_methods, reason = "scoped statements")]' src/invoices.rs
cargo build --quiet
cargo clippy --version > /dev/null 2>&1 || { echo 'Clippy is missing' >&2; exit 77; }
cargo clippy --quiet -- -D clippy::disallowed_methods
cp src/main.rs saved
printf 'pub async fn bad(pool: &sqlx::PgPool) { let _ = sqlx::query("DELETE FROM invoices").execute(pool).await; }\n' >> src/main.rs
! cargo clippy --quiet -- -D clippy::disallowed_methods 2> report
grep -q 'disallowed method `sqlx::query`' report
mv saved src/main.rs
