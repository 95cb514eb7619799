# Calls servers whose certificate is right, foreign, expired or for another name.
set -eu
. support/go.sh
go_module 1.24
mkdir httpclient
mv block_1.go httpclient/client.go
mv httpclient_test.go httpclient/
go test -count=1 ./httpclient
