# Sourced by checks in Go, after which `go` is the newest that the machine has.
newest=$(ls -d /usr/lib/go-1.*/bin 2> /dev/null | sort -V | tail -1)
PATH="${newest:+$newest:}$PATH"
command -v go > /dev/null || { echo 'go is missing' >&2; exit 77; }
export GOTOOLCHAIN=local GOPROXY=off GOCACHE="${XDG_CACHE_HOME:-$HOME/.cache}/how-to-go"

needs_go() {
  [ "$(printf '%s\n' "go$1" "$(go env GOVERSION)" | sort -V | head -n 1)" = "go$1" ] ||
    { echo "Go $1 or later is missing" >&2; exit 77; }
}

# Makes the folder of a check the module `howto`, which needs this version of Go and the standard library only.
go_module() {
  needs_go "$1"
  printf 'module howto\n\ngo %s\n' "$1" > go.mod
}

# For a check that needs this version of Go and libraries. Debian's packages of them are for builds without modules, which
# behave like Go 1.20 in old details: `//go:debug default=` in a package `main` or in a test says otherwise.
go_libraries() {
  needs_go "$1"
  shift
  for library in "$@"; do
    [ -d "/usr/share/gocode/src/$library" ] || { echo "Debian's package of $library is missing" >&2; exit 77; }
  done
  export GOPATH=/usr/share/gocode GO111MODULE=off
}
