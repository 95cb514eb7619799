# Makes the folder of a check a package, whose dependencies are the crates that Debian has as packages. The folder for
# what cargo builds is shared, because most of the time goes into crates that several checks use.
crates=/usr/share/cargo/registry
command -v cargo > /dev/null && [ -d "$crates" ] || { echo 'cargo or its packaged crates are missing' >&2; exit 77; }
export CARGO_TARGET_DIR="${XDG_CACHE_HOME:-$HOME/.cache}/how-to-cargo"
export CARGO_PROFILE_DEV_DEBUG=0 CARGO_INCREMENTAL=0 CARGO_NET_OFFLINE=true RUST_BACKTRACE=0
mkdir -p .cargo
printf '[source.crates-io]\nreplace-with = "debian"\n[source.debian]\ndirectory = "%s"\n' "$crates" > .cargo/config.toml

# The first argument is the file with the dependencies, and the others are dependencies of the check alone.
rust_package() {
  { printf '[package]\nname = "check"\nversion = "0.0.0"\nedition = "2021"\n\n'; cat "$1"; } > Cargo.toml
  shift
  for dependency; do echo "$dependency" >> Cargo.toml; done
  cargo generate-lockfile --quiet || exit 77
}
