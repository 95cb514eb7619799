# Sourced by checks in Go, after `version` was set: finds a Go that is new enough. With `libraries=debian`, the code
# finds Debian's libraries, in a folder below go/src; otherwise, the folder of the check is the module `howto`.
for go in go /usr/lib/go-*/bin/go; do
  found=$($go env GOVERSION 2> /dev/null | sed 's/^go//') || continue
  [ -n "$found" ] && [ "$(printf '%s\n' "$version" "$found" | sort -V | head -n 1)" = "$version" ] || continue
  if [ "${libraries-}" = debian ]; then
    export GOPATH="$PWD/go:/usr/share/gocode" GO111MODULE=off
    mkdir -p go/src
  else
    export GOTOOLCHAIN=local GOPROXY=off
    printf 'module howto\n\ngo %s\n' "$version" > go.mod
  fi
  return 0
done
echo "Go $version or later is missing" >&2
exit 77
