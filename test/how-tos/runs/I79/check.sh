# Signs in with right and wrong passwords, and with accounts of older software.
set -eu
. support/php.sh
run -d zend.exception_ignore_args=0 passwords.php
