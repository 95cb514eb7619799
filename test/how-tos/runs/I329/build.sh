set -eu
. support/go.sh
go_libraries 1.24 github.com/lib/pq
mv block_1.go subject.go
go vet .
