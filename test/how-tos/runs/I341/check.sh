set -eu
. support/rust.sh
rust_package block_1.toml
cargo run --quiet
cargo clippy --version > /dev/null 2>&1 || { echo 'Clippy is missing' >&2; exit 77; }
clippy() { cargo clippy --quiet -- -D clippy::disallowed_types -D clippy::disallowed_methods; }
clippy
for bad in 'let _ = <rand::rngs::StdRng as rand::SeedableRng>::seed_from_u64(1);' 'let _: u64 = rand::random();'; do
  cp src/main.rs saved
  printf '#[allow(dead_code)]\nfn bad() { %s }\n' "$bad" >> src/main.rs
  ! clippy 2> report || { echo "Clippy accepts $bad" >&2; exit 1; }
  grep -q 'use of a disallowed' report
  mv saved src/main.rs
done
