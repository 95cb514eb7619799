set -eu
bash support/own-network.sh env NODE_EXTRA_CA_CERTS=ca.pem "${NODE:-node}" images.mjs
