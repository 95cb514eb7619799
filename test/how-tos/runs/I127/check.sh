# Calls methods with certificates of several services, and without one.
set -eu
command -v openssl > /dev/null || { echo 'openssl is missing' >&2; exit 77; }
. support/go.sh
go_libraries 1.24 google.golang.org/grpc
mkdir rpc
mv block_1.go rpc/rpc.go
mv rpc_test.go rpc/
cd rpc
for ca in ca other; do
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout $ca.key -out $ca.pem -subj /CN=$ca \
    -days 2 2> /dev/null
done
for name in server web billing stranger forged; do
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout $name.key -out $name.csr -subj /CN=web \
    2> /dev/null
  ca=ca dns=$name.shop.internal
  case $name in server) dns=localhost ;; forged) ca=other dns=web.shop.internal ;; esac
  echo "subjectAltName=DNS:$dns" > names.txt
  openssl x509 -req -in $name.csr -CA $ca.pem -CAkey $ca.key -CAcreateserial -extfile names.txt -out $name.pem -days 2 \
    2> /dev/null
done
go test -count=1 .
