# Plays the agent of SPIRE, which gives a service its certificate, and calls the service with several identities.
set -eu
. support/go.sh
go_libraries 1.24 github.com/spiffe/go-spiffe/v2 google.golang.org/grpc
mkdir service
mv block_1.go service/main.go
mv service_test.go service/
cd service
go test -c -o calls .
# A network of its own keeps the port free.
unshare --net true 2> /dev/null || { echo 'a network of its own needs the rights of root' >&2; exit 77; }
unshare --net bash -c 'ip link set lo up; ./calls'
