# Signs in with certificates that are right, expired, for others or by others. Debian: openssh-server, softhsm2.
set -eu
fail() { echo "$*" >&2; exit 1; }
for command in ssh sshd ssh-keygen softhsm2-util unshare; do
  command -v "$command" > /dev/null || [ -x "/usr/sbin/$command" ] || { echo "$command is missing" >&2; exit 77; }
done
[ "$(id -u)" = 0 ] || { echo 'root is missing' >&2; exit 77; }
[ -f /usr/lib/softhsm/libsofthsm2.so ] || { echo 'softhsm2 is missing' >&2; exit 77; }
# The files of the system stay as they are: this check has its own /etc/ssh, /home and list of users.
[ "${1-}" = inside ] || exec unshare --mount bash check.sh inside

folder=$PWD
mkdir ssh home run
mount --bind ssh /etc/ssh
mount --bind run /run
mkdir -p /run/sshd /etc/ssh/sshd_config.d
cp /etc/passwd passwd && cp /etc/shadow shadow && cp /etc/hosts hosts
echo "deploy:x:4711:4711::$folder/home:/bin/bash" >> passwd
echo "other:x:4712:4712::$folder/home:/bin/bash" >> passwd
printf '%s\n' 'deploy:*:20000::::::' 'other:*:20000::::::' >> shadow
echo '127.0.0.1 web1.example.com' >> hosts
for name in passwd shadow hosts; do mount --bind $name /etc/$name; done
chmod 755 "$folder"
mkdir -p home/.ssh root
chown -R 4711:4711 home
chmod 700 home home/.ssh
export HOME=$folder/root SOFTHSM2_CONF=$folder/softhsm.conf
mkdir -p "$HOME/.ssh" tokens
printf 'directories.tokendir = %s\n' "$folder/tokens" > softhsm.conf

# The HSM makes both keys; nobody can read them from it.
for name in user_ca host_ca foreign_ca; do
  softhsm2-util --init-token --free --label $name --so-pin 4321 --pin 1234 > /dev/null
done
make_key() { # name
  pkcs11-tool --module /usr/lib/softhsm/libsofthsm2.so --token-label "$1" --login --pin 1234 --keypairgen \
    --key-type EC:prime256v1 --id 01 --label "$1" --sensitive > key.log 2>&1 || fail "$(cat key.log)"
}
