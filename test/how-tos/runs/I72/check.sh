# Unpacks an ordinary archive and hostile ones.
set -eu
version=1.25 . support/go.sh
mkdir unpack
mv block_1.go unpack/unpack.go
mv unpack_test.go unpack/
$go test -count=1 ./unpack
