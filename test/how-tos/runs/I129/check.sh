# Signs in with certificates that are right, expired, for others or by others, to a server with the settings.
# Debian: openssh-server, softhsm2, opensc, mount, passwd.
set -eu
fail() { echo "$*" >&2; exit 1; }
hsm=/usr/lib/softhsm/libsofthsm2.so
for command in ssh /usr/sbin/sshd ssh-keygen softhsm2-util pkcs11-tool unshare runuser; do
  command -v "$command" > /dev/null || { echo "$command is missing" >&2; exit 77; }
done
[ -e $hsm ] && [ "$(id -u)" = 0 ] || { echo 'root or softhsm2 is missing' >&2; exit 77; }
# The files of the system stay as they are: this check has its own /etc/ssh, users and names.
[ "${1-}" = inside ] || exec unshare --mount bash check.sh inside

here=$PWD
chmod 755 "$here"
mkdir -p ssh/sshd_config.d run/sshd home/deploy/.ssh home/other/.ssh tokens client/.ssh
cp /etc/passwd passwd && cp /etc/shadow shadow && cp /etc/hosts hosts
id=4711
for name in deploy other; do
  echo "$name:x:$id:$id::$here/home/$name:/bin/sh" >> passwd
  echo "$name:*:20000::::::" >> shadow
  chown -R $id "home/$name" && chmod 700 "home/$name" "home/$name/.ssh"
  id=$((id + 1))
done
echo '127.0.0.1 web1.example.com web2.example.com' >> hosts
for name in passwd shadow hosts; do mount --bind "$name" "/etc/$name"; done
mount --bind ssh /etc/ssh && mount --bind run /run
export HOME=$here/client SOFTHSM2_CONF=$here/softhsm.conf
# Without a terminal, this gives the PIN of the HSM.
printf '#!/bin/sh\necho 1234\n' > pin && chmod 755 pin
export SSH_ASKPASS=$here/pin SSH_ASKPASS_REQUIRE=force
echo "directories.tokendir = $here/tokens" > softhsm.conf

# Each authority has a token of its own; the HSM makes the keys.
for name in user_ca host_ca foreign_ca; do
  softhsm2-util --init-token --free --label $name --so-pin 4321 --pin 1234 > log 2>&1 || fail "$(cat log)"
  pkcs11-tool --module $hsm --token-label $name --login --pin 1234 --keypairgen --key-type EC:prime256v1 --id 01 \
    --label $name > log 2>&1 || fail "$(cat log)"
  pkcs11-tool --module $hsm --token-label $name --login --pin 1234 --list-objects --type privkey > log 2>&1
  grep -q 'never extractable' log || fail "$name can be exported: $(cat log)"
  ssh-keygen -D $hsm | grep " $name\$" > $name.pub || fail "no public key of $name: $(ssh-keygen -D $hsm 2>&1)"
done
cp user_ca.pub /etc/ssh/
ssh-keygen -q -t ed25519 -N '' -f /etc/ssh/ssh_host_ed25519_key
for key in id_ed25519 plain foreign expired wrong; do ssh-keygen -q -t ed25519 -N '' -f $key; done

# The commands of the how-to, in their order; the sign-in comes once the server runs.
mv block_1.text /etc/ssh/sshd_config.d/10-hardening.conf
echo 'Include /etc/ssh/sshd_config.d/*.conf' > /etc/ssh/sshd_config
printf '%s\n' 'Port 2222' 'ListenAddress 127.0.0.1' 'HostKey /etc/ssh/ssh_host_ed25519_key' 'UsePAM no' \
  >> /etc/ssh/sshd_config
# Since 9.8, a server stops to answer those who fail often.
if /usr/sbin/sshd -T -o 'PerSourcePenalties no' > log 2>&1; then echo 'PerSourcePenalties no' >> /etc/ssh/sshd_config; fi
sed '/^ssh -o/d' block_2.bash > commands.sh
sign_in=$(grep '^ssh -o' block_2.bash)
bash -eu commands.sh > log 2>&1 < /dev/null || fail "$(cat log)"
ssh-keygen -L -f id_ed25519-cert.pub > certificate
grep -q 'Key ID: "anna@example.com ticket-4711"' certificate || fail "$(cat certificate)"
lasts() { # certificate, seconds
  ssh-keygen -L -f "$1" | sed -n 's/.*Valid: from \(.*\) to \(.*\)/\1 \2/p' > dates
  read -r from until < dates || fail "$1 is valid for ever"
  [ $(($(date -d "$until" +%s) - $(date -d "$from" +%s))) -le "$2" ] || fail "$1 is valid from $from to $until"
}
lasts id_ed25519-cert.pub 29000
lasts /etc/ssh/ssh_host_ed25519_key-cert.pub 2420000
sign() { # authority, key, principal, validity
  ssh-keygen -q -D $hsm -s "$1.pub" -I test -n "$3" -V "$4" -z 1 "$2.pub" > log 2>&1 < /dev/null || fail "$(cat log)"
}
sign foreign_ca foreign web-admin -1m:+8h
sign user_ca expired web-admin -9h:-1h
sign user_ca wrong db-admin -1m:+8h
cp plain.pub home/deploy/.ssh/authorized_keys
chown 4711 home/deploy/.ssh/authorized_keys && chmod 600 home/deploy/.ssh/authorized_keys

/usr/sbin/sshd -t
/usr/sbin/sshd -T > settings
for setting in 'trustedusercakeys /etc/ssh/user_ca.pub' 'authorizedkeysfile none' 'passwordauthentication no' \
  'hostcertificate /etc/ssh/ssh_host_ed25519_key-cert.pub' 'permitrootlogin no' 'allowtcpforwarding no' \
  'kbdinteractiveauthentication no' 'allowagentforwarding no' 'x11forwarding no' 'loglevel VERBOSE'; do
  grep -qix "$setting" settings || fail "no $setting: $(grep -i "${setting%% *}" settings)"
done
/usr/sbin/sshd -D -e 2> sshd.log & server=$!
trap 'kill $server' EXIT
for _ in $(seq 100); do grep -q 'Server listening' sshd.log && break; sleep 0.1; done

# A client has a known_hosts of one line, the authority, and asks nothing.
[ "$(wc -l < client/.ssh/known_hosts)" = 1 ] || fail 'known_hosts has more than one line'
common="-p 2222 -o UserKnownHostsFile=$here/client/.ssh/known_hosts -o IdentitiesOnly=yes -o BatchMode=yes -F none"
as() { # key, options
  key=$1 && shift
  # shellcheck disable=SC2086
  $sign_in $common -i "$here/$key" "$@" > log 2>&1 < /dev/null
}
as id_ed25519 id -un || fail "the right certificate: $(cat log) $(cat sshd.log)"
[ "$(cat log)" = deploy ] || fail "$(cat log)"
grep -q 'Accepted certificate ID "anna@example.com ticket-4711" (serial [0-9]*)' sshd.log || fail "$(cat sshd.log)"
refuse() { # what, key, options
  what=$1 && shift
  if as "$@" id -un; then fail "$what signs in"; fi
}
denied() { refuse "$@" && grep -q 'Permission denied' log || fail "$1: $(cat log)"; }
denied 'a plain key in authorized_keys' plain
denied 'the certificate of another authority' foreign
denied 'an expired certificate' expired
denied 'a certificate for another principal' wrong
for name in other root; do
  sign_in=$(echo "$sign_in" | sed "s/ [a-z]*@/ $name@/")
  denied "the account $name" id_ed25519
done
sign_in=$(echo "$sign_in" | sed 's/root@/deploy@/')
if as id_ed25519 -W 127.0.0.1:2222; then fail 'forwards to a port'; fi
grep -q 'administratively prohibited' log || fail "$(cat log)"
# The name of another host, and a host whose certificate another authority signed.
sign_in=$(echo "$sign_in" | sed 's/web1/web2/')
refuse 'a host with another name' id_ed25519
grep -Eq 'Host key verification failed|No .* host key is known' log || fail "$(cat log)"
sign_in=$(echo "$sign_in" | sed 's/web2/web1/')
ssh-keygen -q -D $hsm -s foreign_ca.pub -h -I web1 -n web1.example.com -V -1m:+4w /etc/ssh/ssh_host_ed25519_key.pub \
  > log 2>&1 < /dev/null || fail "$(cat log)"
kill -HUP $server
for _ in $(seq 100); do [ "$(grep -c 'Server listening' sshd.log)" = 2 ] && break; sleep 0.1; done
refuse 'a host of another authority' id_ed25519
grep -Eq 'Host key verification failed|No .* host key is known' log || fail "$(cat log)"
