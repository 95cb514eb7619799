# Opens the tunnel of the unit, and uses it as the technician, as another one, and in ways that are not meant.
# systemd itself does not run here: its units are verified only. Debian: openssh-server, systemd, iproute2, python3.
set -eu
fail() { echo "$*" >&2; exit 1; }
for command in ssh /usr/sbin/sshd ssh-keygen systemd-analyze systemd-tmpfiles ip python3 unshare runuser; do
  command -v "$command" > /dev/null || { echo "$command is missing" >&2; exit 77; }
done
[ "$(id -u)" = 0 ] || { echo 'root is missing' >&2; exit 77; }
# The files and addresses of the system stay as they are: gateway and jump host are in a place of their own.
[ "${1-}" = inside ] || exec unshare --mount --net bash check.sh inside

here=$PWD
chmod 755 "$here"
ip link set lo up
for address in 10.20.0.11 10.20.0.12; do ip address add "$address/32" dev lo; done
mkdir -p ssh/sshd_config.d run/sshd maintenance
for file in passwd shadow group hosts; do cp "/etc/$file" $file; done
id=4711
for name in tunnel maintenance costa silva; do
  echo "$name:x:$id:$id::$here:/bin/sh" >> passwd
  echo "$name:*:20000::::::" >> shadow
  echo "$name:x:$id:" >> group
  id=$((id + 1))
done
echo '127.0.0.1 meet.example.com' >> hosts
for file in passwd shadow group hosts; do mount --bind $file "/etc/$file"; done
mkdir -p /etc/maintenance
mount --bind ssh /etc/ssh && mount --bind run /run && mount --bind maintenance /etc/maintenance

# The units, by their names
mv block_1.ini maintenance-key.target
mv block_2.ini maintenance@.service
systemd-analyze verify --man=no ./maintenance-key.target "./maintenance@.service" > log 2>&1 || fail "$(cat log)"
if grep -E 'Unknown|Failed to parse|ignoring' log | grep -q maintenance; then fail "$(cat log)"; fi
[ ! -e "./maintenance@costa.service" ] || fail 'an instance'
for line in Requisite=maintenance-key.target PartOf=maintenance-key.target RuntimeMaxSec=4h Restart=no User=maintenance; do
  grep -qx "$line" "maintenance@.service" || fail "no $line"
done
start=$(sed -n 's/^ExecStart=//p' maintenance@.service | sed 's/%i/costa/g')

# The files of the third block, each after a comment with its name
split() { sed -n "\\|^# $1|,/^# /{/^# /d;p}" block_3.text; }
split /etc/maintenance/ssh_config > maintenance/ssh_config
split /etc/ssh/sshd_config.d/10-tunnel.conf > ssh/sshd_config.d/10-tunnel.conf
split /etc/tmpfiles.d/maintenance.conf > tmpfiles.conf
for file in maintenance/ssh_config ssh/sshd_config.d/10-tunnel.conf tmpfiles.conf; do [ -s $file ] || fail "$file is empty"; done
echo 'd /run/maintenance/silva 2750 tunnel silva' >> tmpfiles.conf
systemd-tmpfiles --create "$here/tmpfiles.conf"
[ "$(stat -c '%a %U %G' /run/maintenance/costa)" = '2750 tunnel costa' ] || fail "$(stat /run/maintenance/costa)"
ssh-keygen -q -t ed25519 -N '' -f ssh/ssh_host_ed25519_key
ssh-keygen -q -t ed25519 -N '' -f maintenance/id_ed25519
cp maintenance/id_ed25519.pub ssh/tunnel_keys
echo "meet.example.com $(cat ssh/ssh_host_ed25519_key.pub)" > maintenance/known_hosts
chown -R maintenance maintenance
printf '%s\n' 'ListenAddress 127.0.0.1' 'HostKey /etc/ssh/ssh_host_ed25519_key' 'UsePAM no' 'PasswordAuthentication no' \
  'AuthorizedKeysFile /etc/ssh/%u_keys' 'Include /etc/ssh/sshd_config.d/*.conf' > ssh/sshd_config
/usr/sbin/sshd -t
pids=
# shellcheck disable=SC2086
trap 'kill $pids 2> /dev/null || true' EXIT
/usr/sbin/sshd -D -e 2> sshd.log & pids=$!
cat > machine.py << 'CODE'
import socketserver
import sys

class Machine(socketserver.BaseRequestHandler):
    def handle(self):
        self.request.sendall(sys.argv[1].encode())

socketserver.ThreadingTCPServer.allow_reuse_address = True
socketserver.ThreadingTCPServer((sys.argv[1], 102), Machine).serve_forever()
CODE
for address in 10.20.0.11 10.20.0.12; do python3 machine.py $address & pids="$pids $!"; done
socket=/run/maintenance/costa/machine.sock
until_true() { for _ in $(seq 100); do if "$@" 2> /dev/null; then return; fi; sleep 0.1; done; fail "$* is not true: $(cat sshd.log tunnel.log)"; }
until_true grep -q 'Server listening' sshd.log
reaches() { # user
  runuser -u "$1" -- python3 -c '
import socket, sys
with socket.socket(socket.AF_UNIX) as opened:
    opened.settimeout(10)
    opened.connect(sys.argv[1])
    print(opened.recv(100).decode())' $socket > answer 2>&1 && [ "$(cat answer)" = 10.20.0.11 ]
}

if reaches costa; then fail 'reaches the machine without a tunnel'; fi
# shellcheck disable=SC2086
runuser -u maintenance -- $start > tunnel.log 2>&1 & tunnel=$!
pids="$pids $tunnel"
until_true test -S $socket
[ "$(stat -c '%a %U %G' $socket)" = '660 tunnel costa' ] || fail "$(stat $socket)"
reaches costa || fail "costa: $(cat answer)"
if reaches silva; then fail 'another technician reaches the machine'; fi
grep -q 'Permission denied' answer || fail "$(cat answer)"

# What the key of the gateway must not do on the jump host
try() { timeout 20 runuser -u maintenance -- ssh -F /etc/maintenance/ssh_config -o ServerAliveCountMax=1 "$@" > log 2>&1 < /dev/null; }
if try meet id || grep -q uid= log; then fail "a command: $(cat log)"; fi
if try -tt meet; then fail 'a terminal'; fi
runuser -u maintenance -- ssh -F /etc/maintenance/ssh_config -N -R '*:8022:10.20.0.11:102' meet > port.log 2>&1 & port=$!
pids="$pids $port"
until_true grep -q ':1F56' /proc/net/tcp
if grep -qi ' 00000000:1F56 ' /proc/net/tcp; then fail 'listens on all addresses of the jump host'; fi
kill $port
if try -N -R /run/maintenance/other.sock:10.20.0.11:102 meet; then fail 'a socket outside its folders'; fi
try -W 127.0.0.1:22 meet && fail 'a connection from the jump host'
grep -q 'prohibited' log || fail "$(cat log)"
# A jump host with another key
ssh-keygen -q -t ed25519 -N '' -f other
sed -i "s|.*|meet.example.com $(cut -d' ' -f1,2 other.pub)|" maintenance/known_hosts
if try meet; then fail 'a host with another key'; fi
grep -q 'Host key verification failed' log || fail "$(cat log)"

# The end of the unit ends the connection.
kill $tunnel
until_true sh -c "! pgrep -f '^/usr/bin/ssh -NT -F /etc/maintenance' > /dev/null"
if reaches costa; then fail 'reaches the machine after the end'; fi
