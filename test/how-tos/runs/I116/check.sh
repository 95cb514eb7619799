# Debian 13: nginx 1.26 with OpenSSL 3.5.
set -eu
cp support/application.py .
. support/nginx.sh
[[ $(openssl list -tls1_3 -tls-groups 2> /dev/null) == *X25519MLKEM768* ]] || { echo 'OpenSSL 3.5 is missing' >&2; exit 77; }
local_version < block_1.nginx > http.conf
start_nginx
plain=$((port + 2))
handshake() { openssl s_client -connect "127.0.0.1:$port" -servername app.example.com "$@" < /dev/null 2>&1; }

handshake -tls1_3 -CAfile tls.crt | grep -q 'Verify return code: 0' || fail 'TLS 1.3'
handshake -tls1_2 > /dev/null || fail 'TLS 1.2'
handshake -tls1_3 -groups X25519MLKEM768 > /dev/null || fail 'the hybrid group'
handshake | grep -q 'X25519MLKEM768' || fail "The hybrid group is not preferred: $(handshake | grep -i group)"
for version in -tls1 -tls1_1; do
  if handshake $version -cipher DEFAULT:@SECLEVEL=0 > /dev/null; then fail "$version connects"; fi
done
for cipher in AES128-GCM-SHA256 ECDHE-RSA-AES128-SHA256 ECDHE-RSA-AES256-SHA DHE-RSA-AES128-GCM-SHA256 AES128-SHA; do
  if handshake -tls1_2 -cipher "$cipher:@SECLEVEL=0" > /dev/null; then fail "$cipher connects"; fi
done
for cipher in ECDHE-RSA-AES128-GCM-SHA256 ECDHE-RSA-CHACHA20-POLY1305; do
  handshake -tls1_2 -cipher "$cipher" > /dev/null || fail "$cipher"
done
handshake -tls1_2 -sess_out session.pem > first.log || fail 'a session'
grep -q 'TLS session ticket:' first.log && fail 'a session ticket'
[[ $(openssl s_client -connect "127.0.0.1:$port" -servername other.example.org < /dev/null 2>&1) == *'unrecognized name'* ]] ||
  fail 'Another name is served'
[[ $(openssl s_client -connect "127.0.0.1:$port" -noservername < /dev/null 2>&1) == *'unrecognized name'* ]] ||
  fail 'No name is served'

hsts='strict-transport-security: max-age=31536000; includeSubDomains'
for path in / /missing; do
  call -D - -o /dev/null "https://app.example.com:$port$path" | tr -d '\r' > headers
  grep -qix "$hsts" headers || fail "$path: $(cat headers)"
  grep -qi '^HTTP/2 ' headers || fail "$path is not HTTP/2"
  grep -qi '^server: nginx$' headers || fail "$path shows the version: $(grep -i '^server' headers)"
done
grep -qi '^HTTP/2 404' headers || fail 'the page that is missing'
curl -s -D - -o /dev/null -H 'Host: app.example.com' "http://127.0.0.1:$plain/a?b=c" | tr -d '\r' > headers
grep -q '^HTTP/1.1 301' headers && grep -qx 'Location: https://app.example.com/a?b=c' headers || fail "$(cat headers)"
if grep -qi strict-transport headers; then fail 'HSTS without TLS'; fi
status=0
curl -s -H 'Host: other.example.org' "http://127.0.0.1:$plain/" > other.log || status=$?
[ "$status" = 52 ] && [ ! -s other.log ] || fail "Another name without TLS: $status"
