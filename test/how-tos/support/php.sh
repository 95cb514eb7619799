# Sourced by checks in PHP: finds PHP, the extensions and the files of Debian's packages that `needs` names. Each
# block of code becomes a file without a comment at its top.
command -v php > /dev/null || { echo 'php is missing' >&2; exit 77; }
for need in ${needs-}; do
  case $need in
    */*) [ -e "/usr/share/php/$need" ] || { echo "/usr/share/php/$need is missing" >&2; exit 77; } ;;
    *) php -m | grep -qix "$need" || { echo "the extension $need of PHP is missing" >&2; exit 77; } ;;
  esac
done
for block in block_*.php; do
  [ -e "$block" ] && sed -i '1s/^/<?php /' "$block"
done
run() {
  php -d zend.assertions=1 -d assert.exception=1 -d error_reporting=-1 -d display_errors=stderr "$@"
}
