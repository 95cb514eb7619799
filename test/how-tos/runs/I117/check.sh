# Sends forged headers, ambiguous paths and requests that two servers could read differently.
set -eu
cp support/application.py .
. support/nginx.sh
cp block_1.nginx snippets/forwarding.conf
local_version < block_2.nginx > http.conf
start_nginx
url=https://app.example.com:$port
status() { call -o /dev/null -w '%{http_code}' --path-as-is "$@"; }

[ "$(status "$url/orders")" = 200 ] || fail '/orders'
call -H 'X-Forwarded-For: 1.2.3.4' -H 'X-Original-URL: /admin' -H 'X-Rewrite-URL: /admin' -H 'X-User-Id: 1' \
  -H 'X_User_Id: 1' -H 'X-Forwarded-Host: evil.example' -H 'Forwarded: for=1.2.3.4' -H 'X-Forwarded-Proto: http' \
  "$url/orders?a=%2e%2f;b" > received.json
python3 - <<'CHECK'
import json
received = json.load(open("received.json"))
headers = {k: v for k, v in received["headers"].items() if k not in ("user-agent", "accept")}
assert received["path"] == "/orders?a=%2e%2f;b", received
expected = {"host": "app.example.com", "x-forwarded-for": "127.0.0.1", "x-forwarded-proto": "https"}
assert headers == expected, headers
CHECK
for path in /admin /admin/ /admin.json /%61dmin /%2561dmin //admin /ADMIN '/x/..%2fadmin' '/x/..;/admin' /x/../admin \
  '/x/%2e%2e/admin' /actuator/health '/admin;x' '/a%5cb'; do
  [ "$(status "$url$path")" = 404 ] || fail "$path"
done
for path in /administrators /orders/admin; do [ "$(status "$url$path")" = 200 ] || fail "$path"; done

raw() { printf "$1" | timeout 5 openssl s_client -quiet -connect "127.0.0.1:$port" -servername app.example.com 2> raw.log | head -1; }
start='GET /orders HTTP/1.1\r\nHost: app.example.com\r\nConnection: close\r\n'
[[ $(raw "$start\r\n") == *' 200 '* ]] || fail 'raw request'
for header in 'Content-Length: 5\r\nTransfer-Encoding: chunked' 'X-A : 1' 'X-A: 1\r\n folded' 'Content-Length: 1\r\nContent-Length: 2'; do
  [[ $(raw "$start$header\r\n\r\n0\r\n\r\n") == *' 400 '* ]] || fail "$header: $(raw "$start$header\r\n\r\n0\r\n\r\n")"
done
