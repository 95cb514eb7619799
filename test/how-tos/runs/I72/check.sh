# Unpacks an ordinary archive and hostile ones.
set -eu
. support/go.sh
go_module 1.25
mkdir unpack
mv block_1.go unpack/unpack.go
mv unpack_test.go unpack/
go test -count=1 ./unpack
