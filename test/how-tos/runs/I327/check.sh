set -eu
. support/go-module.sh
go_module 1.24
mv block_1.go subject.go
go test ./...
