# Seals and opens, and changes one thing at a time.
set -eu
version=1.24 . support/go.sh
mkdir vault
mv block_1.go vault/vault.go
mv vault_test.go vault/
$go test -count=1 ./vault
