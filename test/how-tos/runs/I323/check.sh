set -eu
. support/go.sh
go_module 1.24
mv block_1.go subject.go
[ -x /usr/bin/git ] || { echo "/usr/bin/git is missing" >&2; exit 77; }
go test ./...
