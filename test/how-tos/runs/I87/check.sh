# Sends orders at each limit and beyond it, and more of them at once than are allowed.
set -eu
. support/rust.sh
# Debian has axum 0.7; the code uses nothing that 0.8 changed.
sed -i 's/^axum = "0.8"$/axum = "0.7"/' block_1.toml
rust_package block_1.toml
sed -i 's/"macros", "net"/"io-util", "macros", "net", "time"/' Cargo.toml
# The service starts as published, and the check calls the same routes with handlers that take longer.
mkdir src
{ grep -v '^#\[tokio::main\]$' block_2.rust | sed 's/^async fn main()/pub async fn main()/; s/^fn app()/pub fn app()/'; } > src/service.rs
mv calls.rs src/main.rs
cargo run --quiet
