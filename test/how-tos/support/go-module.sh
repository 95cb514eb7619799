# Makes the folder of a check a Go module. Modules in the arguments come from the sources that Debian has as packages.
sources=/usr/share/gocode/src
newest=$(ls -d /usr/lib/go-1.*/bin 2> /dev/null | sort -V | tail -1)
PATH="$newest:$PATH"
command -v go > /dev/null || { echo 'go is missing' >&2; exit 77; }
export GOFLAGS=-mod=mod GOPROXY=off GOTOOLCHAIN=local GONOSUMDB='*' GOCACHE="${XDG_CACHE_HOME:-$HOME/.cache}/how-to-go"

# The first argument is the lowest version of Go, and the others are modules.
go_module() {
  printf 'module check\n\ngo %s\n' "$1" > go.mod
  go version | grep -qE "go1\.(${1#1.}|[3-9][0-9]|2[${1#1.2}-9])([. ]|$)" || { echo "Go $1 is missing" >&2; exit 77; }
  shift
  for module in "$@"; do
    [ -d "$sources/$module" ] || { echo "$module is missing" >&2; exit 77; }
    printf 'require %s v0.0.0\n' "$module" >> go.mod
  done
  for module in golang.org/x/crypto golang.org/x/net golang.org/x/sys golang.org/x/term golang.org/x/text "$@"; do
    [ ! -d "$sources/$module" ] || printf 'replace %s => %s/%s\n' "$module" "$sources" "$module" >> go.mod
  done
}
