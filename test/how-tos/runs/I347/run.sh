set -eu
. support/rust.sh
cargo run --quiet
