# Sourced by checks in Go, after which `go` is the newest that the machine has.
sources=/usr/share/gocode/src
newest=$(ls -d /usr/lib/go-1.*/bin 2> /dev/null | sort -V | tail -1)
PATH="${newest:+$newest:}$PATH"
command -v go > /dev/null || { echo 'go is missing' >&2; exit 77; }
export GOTOOLCHAIN=local GOPROXY=off GOFLAGS=-mod=mod GONOSUMDB='*'
export GOCACHE="${XDG_CACHE_HOME:-$HOME/.cache}/how-to-go"

needs_go() {
  [ "$(printf '%s\n' "go$1" "$(go env GOVERSION)" | sort -V | head -n 1)" = "go$1" ] ||
    { echo "Go $1 or later is missing" >&2; exit 77; }
}

needs_source() {
  [ -d "$sources/$1" ] || { echo "the source of $1, which Debian has as a package, is missing" >&2; exit 77; }
}

# Makes the folder of a check the module `howto`. The first argument is the lowest version of Go, and the others are
# modules from Debian's packages.
go_module() {
  needs_go "$1"
  printf 'module howto\n\ngo %s\n' "$1" > go.mod
  shift
  for module in "$@"; do
    needs_source "$module"
    printf 'require %s v0.0.0\n' "$module" >> go.mod
  done
  for module in golang.org/x/crypto golang.org/x/net golang.org/x/sys golang.org/x/term golang.org/x/text "$@"; do
    [ ! -d "$sources/$module" ] || printf 'replace %s => %s/%s\n' "$module" "$sources" "$module" >> go.mod
  done
}

# For packages whose sources in Debian are not complete modules: code in `go/src` finds them without modules.
go_path() {
  needs_go "$1"
  shift
  for package in "$@"; do needs_source "$package"; done
  export GOPATH="$PWD/go:/usr/share/gocode" GO111MODULE=off GOFLAGS=
  mkdir -p go/src
}
