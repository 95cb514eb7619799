set -eu
. support/rust.sh
# Debian's sqlx has TLS with a feature of another name; the check connects without TLS.
sed -i 's/, "tls-rustls"//' block_2.toml
rust_package block_2.toml
cargo run --quiet
cp src/orders.rs saved
sed 's/total_cents FROM orders$/price FROM orders/' saved > src/orders.rs
! cmp -s saved src/orders.rs
! cargo check --quiet 2> report
grep -q 'column "price" does not exist' report
{
  cat saved
  echo 'pub async fn bad(pool: &PgPool, title: &str) -> sqlx::Result<Vec<OrderView>> {'
  echo '    sqlx::query_as!(OrderView, format!("SELECT 1, {title}, 1")).fetch_all(pool).await'
  echo '}'
} > src/orders.rs
! cargo check --quiet 2> report
grep -q 'expected string literal' report || { cat report >&2; exit 1; }
