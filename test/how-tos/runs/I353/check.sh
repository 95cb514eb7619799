set -eu
. support/rust.sh
rust_package block_1.toml
cargo clippy --version > /dev/null 2>&1 || { echo 'Clippy is missing' >&2; exit 77; }
cargo run --quiet
cargo clippy --quiet -- -D clippy::disallowed_methods
cp src/main.rs saved
for call in 'quick_xml::Reader::from_str("<a/>")' 'quick_xml::de::from_str::<String>("<a/>")' \
  'quick_xml::de::from_reader::<_, String>("<a/>".as_bytes())' 'quick_xml::de::Deserializer::from_str("<a/>")'; do
  { cat saved; printf 'pub fn bad() { let _ = %s; }\n' "$call"; } > src/main.rs
  ! cargo clippy --quiet -- -D clippy::disallowed_methods 2> report
  grep -q 'use of a disallowed method .quick_xml' report || { echo "$call is accepted" >&2; cat report >&2; exit 1; }
done
