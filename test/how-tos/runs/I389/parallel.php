<?php
// Attempts at the same time as other instances: all wait for the same file.
require 'instance.php';
$throttle = new App\Security\SignInThrottle(database(), new Lines(), PHP_INT_MAX);
touch("ready-$argv[1]");
while (!is_file('go')) {
    clearstatcache();
    usleep(1_000);
}
$compared = 0;
for ($n = 0; $n < 20; $n++) {
    for ($account = 0; $account < 5; $account++) {
        $compared += (int) $throttle->begin("account $account", "192.0.2.20$argv[1]", 1_790_000_000);
    }
}
echo $compared;
