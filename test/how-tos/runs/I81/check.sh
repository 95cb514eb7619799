# Renders the template in Symfony with ordinary and with hostile values.
set -eu
needs='dom Symfony/Bundle/TwigBundle/autoload.php Symfony/Component/HtmlSanitizer/autoload.php'
. support/php.sh
[ -e /usr/share/php/Symfony/Component/Yaml/autoload.php ] || { echo 'php-symfony-yaml is missing' >&2; exit 77; }
mkdir templates
mv block_1.twig templates/product.html.twig
run render.php
