set -eu
. support/go.sh
go_libraries 1.21 github.com/lib/pq
mkdir orders
mv block_1.go orders/orders.go
mv orders_test.go orders/
cd orders
go test -count=1 .
