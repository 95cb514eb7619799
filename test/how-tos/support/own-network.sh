# Runs a command in a network of its own that reaches nothing else. The file `hosts` lists its names, and each address
# there is an address of this network. `ca.pem` issued `server.pem` (key `server.key`) for these names.
set -eu
for command in ip openssl unshare; do
  command -v $command > /dev/null || { echo "$command is missing" >&2; exit 77; }
done
if [ "${1:-}" != inside ]; then
  unshare --net --mount true 2> /dev/null || { echo 'a network of its own needs the rights of root' >&2; exit 77; }
  exec unshare --net --mount bash support/own-network.sh inside "$@"
fi
shift
ip link set lo up
awk '{ print $1 }' hosts | sort -u | while read -r address; do
  case $address in
    127.* | ::1) ;;
    *:*) ip -6 address add "$address/128" dev lo nodad ;;
    *) ip address add "$address/32" dev lo ;;
  esac
done
mount --bind hosts /etc/hosts
echo 'hosts: files' > nsswitch.conf
mount --bind nsswitch.conf /etc/nsswitch.conf
openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -subj /CN=ca -days 2 2> /dev/null
openssl req -newkey rsa:2048 -nodes -keyout server.key -out server.csr -subj /CN=server 2> /dev/null
names=$(awk '{ for (n = 2; n <= NF; n++) print "DNS:" $n }' hosts | grep -v wrong | sort -u | paste -sd,)
echo "subjectAltName=$names,IP:127.0.0.1" > names.txt
openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -extfile names.txt -out server.pem -days 2 \
  2> /dev/null
exec "$@"
