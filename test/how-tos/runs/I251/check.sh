# Creates tokens and codes, and compares them with changed ones.
set -eu
. support/php.sh
run tokens.php
