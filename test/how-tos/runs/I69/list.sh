set -eu
version=1.21 libraries=debian . support/go.sh
[ -d /usr/share/gocode/src/github.com/lib/pq ] || { echo 'golang-github-lib-pq-dev is missing' >&2; exit 77; }
mkdir go/src/orders
mv block_1.go go/src/orders/orders.go
mv orders_test.go go/src/orders/
cd go/src/orders
$go test -count=1 .
