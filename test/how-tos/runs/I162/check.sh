# Builds two networks and the gateway between them in network namespaces. Needs root. Debian: nftables, iproute2.
set -eu
for command in nft ip unshare nsenter python3; do
  command -v $command > /dev/null || { echo "$command is missing" >&2; exit 77; }
done
unshare -n true 2> /dev/null || { echo 'The right to create network namespaces is missing' >&2; exit 77; }

namespace() {
  unshare -n sleep 110 > /dev/null 2>&1 &
  started=$!
  until [ "$(readlink /proc/$started/ns/net)" != "$(readlink /proc/$$/ns/net)" ]; do sleep 0.05; done
}
namespace; gateway=$started
trap 'kill $gateway 2> /dev/null' EXIT
namespace; collector=$started
trap 'kill $gateway $collector 2> /dev/null' EXIT
namespace; controller=$started
trap 'kill $gateway $collector $controller 2> /dev/null' EXIT
within() { nsenter -t "$1" -n "${@:2}"; }

connect() { # a namespace, its address, the gateway's address and name
  within "$gateway" ip link add "$4" type veth peer name eth0 netns "$1"
  within "$gateway" ip address add "$3/24" dev "$4"
  within "$gateway" ip link set "$4" up
  within "$1" ip address add "$2/24" dev eth0
  within "$1" ip link set eth0 up
  within "$1" ip route add default via "$3"
}
connect "$collector" 10.10.0.5 10.10.0.1 supervision
connect "$controller" 10.20.0.11 10.20.0.1 controllers
within "$collector" ip address add 10.10.0.6/24 dev eth0
within "$controller" ip address add 10.20.0.13/24 dev eth0
within "$gateway" sysctl -q -w net.ipv4.ip_forward=1

# Not in a function: its process would stay when the shell around it ends.
nsenter -t "$controller" -n python3 controller.py > controller.log 2>&1 &
server=$!
trap 'kill $server $gateway $collector $controller 2> /dev/null' EXIT
until grep -q ready controller.log; do
  kill -0 $server 2> /dev/null || { cat controller.log >&2; exit 1; }
  sleep 0.05
done
within "$collector" python3 collector.py open
within "$gateway" bash -eu block_1.bash
within "$collector" python3 collector.py guarded
# Without timestamps, segments have no TCP options.
within "$collector" sysctl -q -w net.ipv4.tcp_timestamps=0
within "$collector" python3 collector.py guarded
