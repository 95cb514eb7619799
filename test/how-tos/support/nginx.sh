# Functions that start an nginx of its own with a how-to's configuration, on a free port. To be sourced.
command -v nginx openssl curl python3 > /dev/null || { echo 'nginx, openssl, curl or python3 is missing' >&2; exit 77; }
port=$((20000 + $$ % 20000))
application=$((port + 1))
mkdir -p logs tmp snippets
openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=app.example.com -addext subjectAltName=DNS:app.example.com \
  -keyout tls.key -out tls.crt 2> openssl.log

# Rewrites paths, ports and the application's address of a configuration that it reads.
local_version() {
  sed -E -e "s#/etc/nginx/tls/app.example.com.pem#$PWD/tls.crt#" -e "s#/etc/nginx/tls/app.example.com.key#$PWD/tls.key#" \
    -e "s/listen 443 /listen 127.0.0.1:$port /" -e "s/listen 80\b/listen 127.0.0.1:$((port + 2))/" \
    -e "s/(127\.0\.0\.1|10\.0\.5\.10):8080/127.0.0.1:$application/" -e "s#/srv/app#$PWD/app#"
}

# Starts nginx with the configuration in `http.conf`, and the application `application.py`.
start_nginx() {
  { echo "daemon off; pid $PWD/nginx.pid; error_log $PWD/logs/error.log; events {}"
    echo "http { access_log off; client_body_temp_path $PWD/tmp; proxy_temp_path $PWD/tmp; fastcgi_temp_path $PWD/tmp;"
    echo "uwsgi_temp_path $PWD/tmp; scgi_temp_path $PWD/tmp;"
    cat http.conf
    echo '}'; } > nginx.conf
  if [ "$(id -u)" = 0 ]; then chmod 755 "$PWD"; sed -i '1i user root;' nginx.conf; fi
  python3 application.py "$application" > application.log 2>&1 &
  application_pid=$!
  nginx -p "$PWD" -c "$PWD/nginx.conf" > nginx.log 2>&1 &
  nginx_pid=$!
  trap 'kill $application_pid $nginx_pid 2> /dev/null' EXIT
  for _ in $(seq 200); do
    kill -0 $nginx_pid 2> /dev/null || { cat nginx.log >&2; exit 1; }
    curl -s -o /dev/null "http://127.0.0.1:$application/" && curl -ks -o /dev/null "https://127.0.0.1:$port/" && return
    sleep 0.1
  done
}

call() { curl -s --cacert tls.crt --resolve "app.example.com:$port:127.0.0.1" "$@"; }
fail() { echo "$*" >&2; exit 1; }
