set -eu
. support/rust.sh
rust_package block_1.toml
cargo run --quiet
