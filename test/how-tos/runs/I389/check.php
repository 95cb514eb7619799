<?php
// Tries passwords through several instances, whose clock the check sets.
require 'instance.php';

use App\Security\SignInThrottle;

database()->exec(file_get_contents('block_1.sql'));
$lines = new Lines();
$one = new SignInThrottle(database(), $lines, 1000);
$two = new SignInThrottle(database(), $lines, 1000);
$now = 1_790_000_000;

foreach (['ann@example.com', 'unknown@example.com'] as $index => $name) {
    $compared = 0;
    for ($n = 0; $n < 20; $n++) {
        $spelling = $n % 2 ? $name : ' ' . strtoupper($name);
        $compared += (int) ($n % 2 ? $one : $two)->begin($spelling, "192.0.2." . (10 * $index + $n % 3 + 1), $now + $n);
    }
    same(10, $compared, "passwords compared for $name");
}
same(false, $one->begin('ann@example.com', '192.0.2.99', $now + 9 + 59), 'within the delay');
same(true, $two->begin('ann@example.com', '192.0.2.99', $now + 9 + 60), 'after the delay');
same(false, $one->begin('ann@example.com', '192.0.2.99', $now + 69 + 119), 'the delay grows');
same(true, $one->begin('ann@example.com', '192.0.2.99', $now + 69 + 120), 'after the second delay');
$one->succeed('Ann@example.com', '192.0.2.99', $now + 189);
for ($n = 0; $n < 10; $n++) {
    same(true, $one->begin('ann@example.com', '192.0.2.100', $now + 190), 'counting starts again');
}
same(false, $one->begin('ann@example.com', '192.0.2.100', $now + 190), 'and ends again');

// One account for a whole day: delays of at most an hour, and an end after 100.
$compared = [];
for ($time = $now; $time < $now + 10 * 86_400; $time += 30) {
    if ($one->begin('bob', '198.51.100.1', $time)) {
        $compared[] = $time;
    }
}
same(100, count($compared), 'passwords compared in ten days');
same(true, max(array_map(fn ($a, $b) => $b - $a, array_slice($compared, 0, -1), array_slice($compared, 1))) <= 3600, 'the longest delay');
same(false, $one->begin('bob', '198.51.100.2', $now + 400 * 86_400), 'the right password after 100 failures');
$one->succeed('bob', '', $now);
same(true, $one->begin('bob', '198.51.100.2', $now + 400 * 86_400), 'after the reset');

// Many names from one address, and from one network of IPv6.
foreach (['203.0.113.5' => '203.0.113.6', '2001:db8:0:1::5' => '2001:db8:0:2::5'] as $source => $other) {
    $compared = 0;
    for ($n = 0; $n < 200; $n++) {
        $compared += (int) $one->begin("name $source $n", str_contains($source, ':') ? "2001:db8:0:1::$n" : $source, $now);
    }
    same(50, $compared, "names from $source");
    same(true, $one->begin("other $source", $other, $now), "another source than $source");
    same(true, $one->begin("later $source", $source, $now + 60 + 901), 'after a quiet time');
    same(true, $one->begin("later still $source", $source, $now + 60 + 901), 'after a quiet time, again');
}
// A right password does not count against the source or the service.
for ($n = 0; $n < 200; $n++) {
    same(true, $one->begin("person $n", '203.0.113.77', $now), "person $n");
    $one->succeed("person $n", '203.0.113.77', $now);
}

same([], $lines->all, 'no alert so far');
$small = new SignInThrottle(database(), $lines, 30);
for ($n = 0; $n < 60; $n++) {
    $small->begin("many $n", "198.18.0.$n", $now + 86_400);
}
same(['critical'], $lines->all, 'one alert');

// Eight instances try passwords for five accounts at the same time.
$running = [];
for ($n = 0; $n < 8; $n++) {
    $running[] = popen(escapeshellarg(PHP_BINARY) . " parallel.php $n", 'r');
}
while (count(glob('ready-*')) < 8) {
    usleep(50_000);
}
touch('go');
$sum = 0;
foreach ($running as $pipe) {
    $compared = stream_get_contents($pipe);
    same(0, pclose($pipe), 'status of an instance');
    $sum += (int) $compared;
}
same(true, $sum >= 5 && $sum <= 50, "$sum passwords compared in parallel");
