<?php
// Seals and opens values, and damages what was sealed.
require 'support/php.php';
extensions('sodium');
published('block_1.php');

use App\Security\FieldCipher;

$keys = ['k2' => random_bytes(32), 'k1' => random_bytes(32)];
$cipher = new FieldCipher($keys);
$context = 'customers|iban|7';
$sealed = $cipher->seal('DE02120300000000202051', $context);
same('DE02120300000000202051', $cipher->open($sealed, $context), 'value');
same(true, str_starts_with($sealed, 'k2.'), 'the first key seals');
same(false, $sealed === $cipher->seal('DE02120300000000202051', $context), 'two different values');
same('', $cipher->open($cipher->seal('', $context), $context), 'the empty value');

$opens = static fn (string $value, string $where = 'customers|iban|7') => static fn () => $cipher->open($value, $where);
refused(RuntimeException::class, $opens($sealed, 'customers|iban|8'), 'another record');
refused(RuntimeException::class, $opens(substr($sealed, 0, -4)), 'shorter');
refused(RuntimeException::class, $opens('k1' . substr($sealed, 2)), 'the name of another key');
refused(RuntimeException::class, $opens('k3' . substr($sealed, 2)), 'an unknown key');
foreach (['', 'k2', 'k2.', 'k2.?', substr($sealed, 3)] as $text) {
    refused(RuntimeException::class, $opens($text), $text);
}
$bytes = base64_decode(substr($sealed, 3));
for ($index = 0; $index < strlen($bytes); $index++) {
    $changed = $bytes;
    $changed[$index] = chr(ord($changed[$index]) ^ 1);
    refused(RuntimeException::class, $opens('k2.' . base64_encode($changed)), "byte $index");
    refused(RuntimeException::class, $opens('k2.' . base64_encode(substr($bytes, 0, $index))), "$index bytes");
}

$old = new FieldCipher(['k1' => $keys['k1']]);
$value = $old->seal('old', $context);
same('old', $cipher->open($value, $context), 'a value of the old key');
refused(RuntimeException::class, fn () => $old->open($sealed, $context), 'a value of the new key');
refused(InvalidArgumentException::class, fn () => new FieldCipher(['k1' => random_bytes(31)]), 'a short key');
refused(InvalidArgumentException::class, fn () => new FieldCipher(['k|1' => random_bytes(32)]), 'a name');

mkdir('src');
copy('block_1.php', 'src/FieldCipher.php');
$search = "grep -rlE 'openssl_encrypt|mcrypt|sodium_crypto_(aead|secretbox|stream)|\\b(md5|sha1)\\(' src";
same("src/FieldCipher.php\n", shell_exec($search), 'search');
file_put_contents('src/bad.php', 'openssl_encrypt($x);');
same(2, substr_count(shell_exec($search), "\n"), 'search with a bad sample');
