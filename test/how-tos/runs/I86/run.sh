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
sed 's/            r#"SELECT id, title/            format!("SELECT id, title/; s/LIMIT $3"#/LIMIT $3")/' saved > src/orders.rs
! cargo check --quiet 2> report
grep -q 'expected string literal' report || { cat report >&2; exit 1; }
