# Loads images from a public server, and tries to reach all others.
set -eu
. support/go.sh
go_module 1.21
mkdir safefetch
mv block_1.go safefetch/safefetch.go
mv safefetch_test.go safefetch/
go test -c -o images ./safefetch
bash support/own-network.sh env SSL_CERT_FILE=ca.pem ./images
