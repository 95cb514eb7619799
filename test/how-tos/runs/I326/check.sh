set -eu
. support/go.sh
go_module 1.24
mv block_1.go subject.go
go test ./...
