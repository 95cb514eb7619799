set -eu
. support/rust.sh
rust_package block_1.toml 'tower = { version = "0.5", features = ["util"] }'
cargo run --quiet
printf 'async fn bad() -> axum::Json<Account> { todo!() }\npub fn worse() -> axum::Router { axum::Router::new().route("/", axum::routing::get(bad)) }\n' >> src/main.rs
! cargo check --quiet 2> report
grep -q 'Account: .*Serialize\|Account: serde::ser::Serialize\|Json<Account>' report
