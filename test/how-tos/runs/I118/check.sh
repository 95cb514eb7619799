# Sends bursts with many credentials, with one, and without any.
set -eu
cp support/application.py .
. support/nginx.sh
local_version < block_1.nginx > http.conf
start_nginx
url=https://app.example.com:$port
sleep 3 # the requests that waited for the start no longer count

# Sends a number of requests at once and prints how many had each status; N in the header is the request's number.
burst() {
  seq "$2" | xargs -P 25 -I{} bash -c \
    "curl -s -o /dev/null -w '%{http_code}\n' --cacert tls.crt --resolve app.example.com:$port:127.0.0.1 -H '${3//N/\{\}}' $url$1" \
    | sort | uniq -c | awk '{ print $2 "=" $1 }' | tr '\n' ' '
}
# The number of requests with one status.
of() { sed -nE "s/.*\b$1=([0-9]+).*/\1/p" <<< "$2 "; }

# A limit by credential: about 40 pass at once, then 20 in each second.
start=$SECONDS
result=$(burst /api/orders 120 'Authorization: Bearer valid')
most=$((41 + 20 * (SECONDS - start + 1)))
[ "$(of 200 "$result")" -ge 41 ] && [ "$(of 200 "$result")" -le "$most" ] && [ "$(of 429 "$result")" -gt 0 ] \
  || fail "one credential: $result, at most $most"
call -si -H 'Authorization: Bearer valid' "$url/api/orders" > answers.txt
for _ in $(seq 60); do call -i -H 'Authorization: Bearer valid' "$url/api/orders"; done >> answers.txt &
for _ in $(seq 60); do call -i -H 'Authorization: Bearer valid' "$url/api/orders"; done > more.txt
wait $! || true
grep -q 'HTTP/.* 429' answers.txt more.txt && [ "$(cat answers.txt more.txt | grep -c 'HTTP/.* 429')" -eq \
  "$(cat answers.txt more.txt | grep -c '^Retry-After: 5')" ] || fail 'A 429 has no Retry-After.'

# Another credential for each request: the limit by address holds.
sleep 3
result=$(burst /api/orders 300 'Authorization: Bearer N')
[ "$(of 401 "$result")" -ge 61 ] && [ "$(of 429 "$result")" -gt 0 ] || fail "many credentials: $result"

# Reports have a lower rate for one credential.
sleep 3
codes=$(for _ in $(seq 10); do call -o /dev/null -w '%{http_code} ' -H 'Authorization: Bearer valid' "$url/api/reports/"; done)
[ "$codes" = '200 200 200 200 429 429 429 429 429 429 ' ] || fail "reports: $codes"
[ "$(call -o /dev/null -w '%{http_code}' "$url/api/reports/")" = 200 ] || fail 'A request without a credential was counted.'
