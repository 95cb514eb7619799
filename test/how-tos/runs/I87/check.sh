# Sends orders at each limit and beyond it, and more of them at once than are allowed.
set -eu
. support/rust.sh
mkdir src
sed '/^#\[tokio::main\]$/d; s/^async fn main()/pub async fn main()/; s/^fn app()/pub fn app()/' block_2.rust > src/service.rs
mv calls.rs src/main.rs
rust_package block_1.toml
sed -i 's/"macros", "net"/"io-util", "macros", "net", "time"/' Cargo.toml
cargo run --quiet
