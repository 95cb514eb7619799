# Decodes with a small library in C, which keeps its promises, returns null, or lies about lengths.
set -eu
command -v cc > /dev/null || { echo 'cc is missing' >&2; exit 77; }
. support/rust.sh
cargo clippy --version > /dev/null 2>&1 || { echo 'Clippy is missing' >&2; exit 77; }
mkdir decoder/src
mv block_1.rust decoder/src/lib.rs
mv block_2.toml Cargo.toml
cc -c -fPIC -o decoder.o decoder.c
ar rcs libdecoder.a decoder.o
export RUSTFLAGS="-L native=$PWD -l static=decoder"
cargo run --quiet --package app
DECODER=null cargo run --quiet --package app
DECODER=lie cargo run --quiet --package app
cargo clippy --quiet
# Unsafe code in another crate, and unsafe code without a comment.
cp app/src/main.rs saved
echo 'pub fn bad(p: *const u8) -> u8 { unsafe { *p } }' >> app/src/main.rs
! cargo build --quiet --package app 2> report
grep -q 'usage of an `unsafe` block' report
mv saved app/src/main.rs
sed -i '0,/SAFETY:/s/SAFETY:/Note:/' decoder/src/lib.rs
! cargo clippy --quiet 2> report
grep -q 'unsafe block missing a safety comment' report
