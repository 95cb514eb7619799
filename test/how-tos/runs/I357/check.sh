set -eu
. support/rust.sh
mkdir templates
mv block_*.html templates/receipt.html
mv block_*.text templates/receipt.txt
rust_package block_1.toml
cargo clippy --version > /dev/null 2>&1 || { echo 'Clippy is missing' >&2; exit 77; }
cargo run --quiet
ban() { cargo clippy --quiet -- -D clippy::disallowed_methods -D clippy::disallowed_macros; }
ban
cp src/main.rs saved
bad() {
  { cat saved; printf 'pub fn bad(name: &str) { %s; }\n' "$1"; } > src/main.rs
  ! ban 2> report
  grep -qE 'use of a disallowed (method|macro) .minijinja::' report || { echo "$1 is accepted" >&2; cat report >&2; exit 1; }
}
bad 'let _ = minijinja::Environment::new().render_str(name, ())'
bad 'let _ = minijinja::Environment::new().render_named_str("a", name, ())'
bad 'let _ = minijinja::Environment::new().template_from_str(name).is_ok()'
bad 'let _ = minijinja::Environment::new().add_template("a", name)'
bad 'let _ = minijinja::Environment::new().compile_expression(name).is_ok()'
bad 'let mut e = minijinja::Environment::new(); let _ = minijinja::render!(in e, name, a => 1); e.clear_templates()'
