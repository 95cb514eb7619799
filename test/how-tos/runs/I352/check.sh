set -eu
. support/rust.sh
rust_package block_1.toml 'tower = { version = "0.5", features = ["util"] }'
cargo clippy --version > /dev/null 2>&1 || { echo 'Clippy is missing' >&2; exit 77; }
cargo run --quiet
cargo clippy --quiet -- -D clippy::disallowed_methods
cp src/orders.rs saved
for method in 'route("/x", axum::routing::get(show))' 'merge(axum::Router::new())' 'nest("/x", axum::Router::new())' \
  'fallback(show)'; do
  sed "s#^        .with_state(())#&\n        .$method#" saved > src/orders.rs
  ! cargo clippy --quiet -- -D clippy::disallowed_methods 2> report
  grep -q "disallowed method .axum::Router::${method%%(*}" report || { cat report >&2; exit 1; }
done
# A route without a permission, and a handler that reads permissions, do not compile.
sed 's/Permission::OrdersRead, show/show/' saved > src/orders.rs
! cargo check --quiet 2> report
grep -q 'this method takes 4 arguments but 3' report
{ cat saved; echo 'pub fn f(caller: &crate::access::Caller) -> bool { caller.permissions.is_empty() }'; } > src/orders.rs
! cargo check --quiet 2> report
grep -q 'field `permissions` of struct `.*Caller` is private' report
