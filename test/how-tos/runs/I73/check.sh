# Seals and opens, and changes one thing at a time.
set -eu
. support/go.sh
go_module 1.24
mkdir vault
mv block_1.go vault/vault.go
mv vault_test.go vault/
go test -count=1 ./vault
