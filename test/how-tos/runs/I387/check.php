<?php
// Signs messages as a sender does, and changes one thing at a time.
require 'support/php.php';
extensions('pdo_sqlite');
published('block_1.php');

use App\Webhooks\WebhookVerifier;

$database = new PDO('sqlite::memory:');
$database->exec(file_get_contents('block_2.sql'));
$secret = static fn (): string => 'whsec_' . base64_encode(random_bytes(24));
[$current, $next, $other] = [$secret(), $secret(), $secret()];
$verifier = new WebhookVerifier('shop', [$current, $next], $database);
$now = 1_790_000_000;
$body = '{"z": 1,  "a":{"paid":true}}';
$sign = static fn (string $id, int $time, string $body, string $secret): string => 'v1,' . base64_encode(
    hash_hmac('sha256', "$id.$time.$body", base64_decode(substr($secret, 6)), true),
);
$rows = static fn (): int => (int) $database->query('SELECT count(*) FROM webhook_message')->fetchColumn();

same(['z' => 1, 'a' => ['paid' => true]], $verifier->verify('m1', "$now", $sign('m1', $now, $body, $current), $body, $now), 'message');
$several = 'v1a,other ' . $sign('m2', $now, $body, $next);
same(1, $verifier->verify('m2', "$now", $several, $body, $now + 300)['z'], 'the next secret, after 300 seconds');
same(2, $rows(), 'rows');

$signature = $sign('m3', $now, $body, $current);
$bad = [
    'body' => ['m3', "$now", $signature, $body . ' ', $now],
    'id' => ['m4', "$now", $signature, $body, $now],
    'changed time' => ['m3', (string) ($now + 1), $signature, $body, $now],
    'old' => ['m3', "$now", $signature, $body, $now + 301],
    'ahead' => ['m3', "$now", $signature, $body, $now - 301],
    'other sender' => ['m3', "$now", $sign('m3', $now, $body, $other), $body, $now],
    'empty signature' => ['m3', "$now", '', $body, $now],
    'no signature' => ['m3', "$now", 'v1,', $body, $now],
    'prefix' => ['m3', "$now", substr($signature, 0, 20), $body, $now],
    'id with a dot' => ["m3.$now", "$now", $sign("m3.$now", $now, $body, $current), $body, $now],
    'time as text' => ['m3', '1e9', $signature, $body, 1_000_000_000],
    'repeated' => ['m1', "$now", $sign('m1', $now, $body, $current), $body, $now],
];
foreach ($bad as $what => $arguments) {
    refused(UnexpectedValueException::class, fn () => $verifier->verify(...$arguments), $what);
    same(2, $rows(), "rows after $what");
}
$empty = new WebhookVerifier('shop', ['whsec_'], $database);
$unkeyed = 'v1,' . base64_encode(hash_hmac('sha256', "m3.$now.$body", '', true));
refused(UnexpectedValueException::class, fn () => $empty->verify('m3', "$now", $unkeyed, $body, $now), 'an empty secret');
// The id of another sender is another message.
$second = new WebhookVerifier('bank', [$other], $database);
same(1, $second->verify('m1', "$now", $sign('m1', $now, $body, $other), $body, $now)['z'], 'another sender');
same(true, $verifier->verify('m3', "$now", $signature, $body, $now)['a']['paid'], 'the message that was misused above');
