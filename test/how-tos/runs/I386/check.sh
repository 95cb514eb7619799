# Fetches from servers in a network of its own, whose only addresses are this machine's loopback device.
set -eu
for program in php openssl unshare ip; do
  command -v $program > /dev/null || { echo "$program is missing" >&2; exit 77; }
done
[ "${1:-}" = inside ] || exec unshare --net bash check.sh inside
ip link set lo up
ip address add 93.184.215.14/32 dev lo
ip address add 93.184.215.15/32 dev lo
openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj '/CN=CA of the check' -keyout ca.key -out ca.crt 2> openssl.log
for name in pictures other; do
  openssl req -newkey rsa:2048 -nodes -subj "/CN=$name.example" -keyout $name.key -out $name.csr 2>> openssl.log
  printf 'subjectAltName=DNS:%s.example' $name > $name.ext
  openssl x509 -req -in $name.csr -CA ca.crt -CAkey ca.key -days 1 -extfile $name.ext -out $name.crt 2>> openssl.log
done
servers=()
trap 'kill "${servers[@]}"' EXIT
for server in '93.184.215.14 pictures' '93.184.215.15 other' '127.0.0.1 pictures'; do
  # shellcheck disable=SC2086
  php server.php $server &
  servers+=($!)
done
for address in 93.184.215.14 93.184.215.15 127.0.0.1; do
  for _ in $(seq 100); do [ -e "$address.ready" ] && break; sleep 0.1; done
done
export https_proxy=http://127.0.0.1:9
php -d curl.cainfo="$PWD/ca.crt" fetch.php
