# Runs the how-to's own script against nginx, and again with a weaker snippet and a second header.
set -eu
cp support/application.py .
. support/nginx.sh
mkdir -p nginx/snippets app/assets
echo 'var a;' > app/assets/app.js
cp block_1.nginx nginx/snippets/security-headers.conf
local_version < block_3.nginx > http.conf
cp nginx/snippets/security-headers.conf snippets/
# The script calls the name without a port: curl goes to this machine.
mkdir -p bin
printf '#!/bin/bash\nexec %q --cacert %q --connect-to app.example.com:443:127.0.0.1:%s "$@"\n' \
  "$(command -v curl)" "$PWD/tls.crt" "$port" > bin/curl
chmod +x bin/curl
start_nginx

check() { PATH=$PWD/bin:$PATH bash block_2.bash; }
deploy() {
  cat > snippets/security-headers.conf
  kill -HUP $nginx_pid
  # The new workers answer as soon as the old ones have stopped to listen.
  for _ in $(seq 100); do [ "$(pgrep -c -P $nginx_pid)" -le "$workers" ] && break; sleep 0.1; done
}
workers=$(pgrep -c -P $nginx_pid)
output=$(check) || fail "the deployed snippet: $output"
[ -z "$output" ] || fail "$output"
call -o /dev/null -D - "https://app.example.com:$port/assets/app.js" | grep -qi '^cache-control: public' || fail 'Cache-Control'

rejected() {
  for _ in $(seq 50); do output=$(check) || break; sleep 0.1; done
  for path in / /api/health /missing /assets/app.js /old-address; do
    grep -q "^$path has not exactly one $1: " <<< "$output" || fail "$path without $1: $output"
  done
}
sed '/Referrer-Policy/d' block_1.nginx | deploy
rejected Referrer-Policy
sed 's/max-age=31536000/max-age=60/' block_1.nginx | deploy
rejected Strict-Transport-Security
{ cat block_1.nginx; echo 'add_header X-Content-Type-Options "nosniff" always;'; } | deploy
rejected X-Content-Type-Options
: > nginx/snippets/security-headers.conf
if check > empty.txt; then fail 'An empty snippet passed.'; fi
grep -q 'has no add_header lines' empty.txt
