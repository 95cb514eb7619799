set -eu
for tool in /usr/bin/git /usr/bin/timeout; do [ -x $tool ] || { echo "$tool is missing" >&2; exit 77; }; done
. support/rust.sh
rust_package /dev/null
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.com
export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.com
git init --quiet --initial-branch=main repository
for subject in first 'fix $(id); "done"'; do git -C repository commit --quiet --allow-empty --message "$subject"; done
cargo run --quiet -- "$PWD/repository/.git"
[ ! -e written ]

cargo clippy --version > /dev/null 2>&1 || { echo 'Clippy is missing' >&2; exit 77; }
cargo clippy --quiet -- -D clippy::disallowed_methods
printf 'pub fn bad() { let _ = std::process::Command::new("sh").status(); }\n' >> src/main.rs
! cargo clippy --quiet -- -D clippy::disallowed_methods 2> report
grep -q 'use history::program' report
