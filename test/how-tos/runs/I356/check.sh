# Uploads photos, and files that only look like photos.
set -eu
. support/rust.sh
rust_package block_1.toml 'tower = { version = "0.5", features = ["util"] }'
# Decoders of a debug build are slow.
for crate in crc32fast fdeflate flate2 image memchr miniz_oxide png simd-adler32 zune-jpeg; do
  printf '[profile.dev.package.%s]\nopt-level = 2\n' "$crate" >> Cargo.toml
done
cargo run --quiet
