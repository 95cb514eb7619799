set -eu
. support/go.sh
go_libraries 1.24 golang.org/x/crypto
mv block_1.go subject.go
go test -count=1 .
