<?php

require 'block_1.php';

$tokens = [];
for ($n = 0; $n < 200_000; $n++) {
    // A generator that a seed decides would give the same token each time.
    if ($n % 1_000 === 0) {
        mt_srand(7);
    }
    $tokens[Tokens::create('shop_')['token']] = true;
}
assert(count($tokens) === 200_000, 'a token occurs twice');
assert(count(preg_grep('/^shop_[\w-]{43}$/D', array_keys($tokens))) === 200_000);

['token' => $token, 'hash' => $hash] = Tokens::create('');
assert($hash !== $token && preg_match('/^[0-9a-f]{64}$/', $hash) === 1);
assert(Tokens::matches($token, $hash));
for ($n = 0; $n < 43; $n++) {
    $changed = $token;
    $changed[$n] = $token[$n] === 'a' ? 'b' : 'a';
    assert(!Tokens::matches($changed, $hash));
}
assert(!Tokens::matches($hash, $hash) && !Tokens::matches('', $hash));
assert(!Tokens::matches($token, '0e1') && !Tokens::matches($token, ''));

$counts = [];
$codes = [];
for ($n = 0; $n < 20_000; $n++) {
    mt_srand(7);
    $recovery = Tokens::recovery();
    assert(preg_match('/^[ABCDEFGHJKMNPQRSTVWXYZ2-9]{27}$/D', $recovery) === 1);
    foreach (count_chars($recovery, 1) as $byte => $count) {
        $counts[$byte] = ($counts[$byte] ?? 0) + $count;
    }
    $code = Tokens::code();
    assert(preg_match('/^[0-9]{8}$/D', $code) === 1);
    $codes[$code] = true;
}
// 18,000 of each are expected; hardly a run in a hundred million has one with 800 more or less.
assert(count($counts) === 30 && min($counts) > 17_200 && max($counts) < 18_800, json_encode($counts));
assert(count($codes) > 19_900);
