# Calls a route with and without its permission, and adds a route without one.
set -eu
. support/go.sh
go_module 1.22
mkdir access shop
mv block_1.go access/access.go
{
  printf 'package shop\n\nimport "howto/access"\n\nfunc newRouter() *access.Router {\n'
  cat block_2.go
  printf 'return router\n}\n'
} > shop/routes.go
mv shop_test.go shop/
go test -count=1 ./shop
