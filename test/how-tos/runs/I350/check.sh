set -eu
. support/rust.sh
rust_package block_1.toml 'tower = { version = "0.5", features = ["util"] }'
cargo run --quiet
