# Runs the commands with a `gcloud` that writes down what it is asked for, and the code with servers that answer for the
# metadata of Cloud Run and for Secret Manager, as their documentation says.
set -eu
mkdir bin
cat > bin/gcloud << 'END'
#!/usr/bin/env bash
printf '%s\n' "$*" >> commands.txt
case $* in *--data-file=-*) cat > stored.txt ;; esac
END
chmod +x bin/gcloud
printf 'key-of-payments' > payment-api-key.txt
IMAGE=registry.test/orders@sha256:1 PATH="$PWD/bin:$PATH" bash -eu block_2.bash
printf '127.0.0.1 localhost\n127.0.0.1 secretmanager.googleapis.com\n' > hosts
GRPC_DEFAULT_SSL_ROOTS_FILE_PATH=ca.pem bash support/own-network.sh node secrets.mjs
