# Sends requests at each limit and beyond it, and holds connections open.
set -eu
for command in openssl curl; do
  command -v $command > /dev/null || { echo "$command is missing" >&2; exit 77; }
done
. support/go.sh
go_libraries 1.24 golang.org/x/net
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout tls.key -out tls.crt -subj /CN=localhost \
  -days 2 2> /dev/null
mkdir client service
mv client_main.go client/main.go
printf '//go:debug default=go1.24\n' | cat - block_1.go > service/main.go
go build -o server ./service
go build -o calls ./client
# A network of its own keeps the port free.
unshare --net true 2> /dev/null || { echo 'a network of its own needs the rights of root' >&2; exit 77; }
unshare --net bash -c 'ip link set lo up; ulimit -n 20000; ./server 2> server.log & trap "kill $!" EXIT; ./calls'
grep -q 'order with a title of 3 bytes' server.log
