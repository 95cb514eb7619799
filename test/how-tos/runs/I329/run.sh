set -eu
. support/go.sh
go_libraries 1.24 github.com/lib/pq
go test -count=1 .
