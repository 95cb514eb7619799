<?php

require 'block_1.php';

final class Row implements Account
{
    public int $saved = 0;

    public function __construct(public string $hash)
    {
    }

    public function passwordHash(): string
    {
        return $this->hash;
    }

    public function savePasswordHash(string $hash): void
    {
        $this->hash = $hash;
        $this->saved++;
    }
}

const FORM = '/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/';
const PASSWORD = 'correct horse';
$passwords = new Passwords((new Passwords(''))->hash('a random password'));

$ann = new Row($passwords->hash(PASSWORD));
$bob = new Row($passwords->hash(PASSWORD));
assert(preg_match(FORM, $ann->hash) === 1 && $ann->hash !== $bob->hash);
assert($passwords->verify($ann, PASSWORD) && $ann->saved === 0);
foreach (['wrong', '', 'Correct horse', PASSWORD . "\0", str_repeat('a', 1_001)] as $wrong) {
    assert(!$passwords->verify($ann, $wrong));
}

// A hash of a longer password, from other software, is of no use.
assert(!$passwords->verify(new Row(password_hash(str_repeat('a', 1_001), PASSWORD_ARGON2ID)), str_repeat('a', 1_001)));

// The longest password counts to its last byte, and one more is an error.
$long = str_repeat('a', 999);
$cleo = new Row($passwords->hash($long . 'b'));
assert($passwords->verify($cleo, $long . 'b') && !$passwords->verify($cleo, $long . 'c'));
try {
    $passwords->hash(str_repeat('a', 1_001));
    assert(false, 'a password of 1,001 bytes has a hash');
} catch (LengthException) {
}

$weak = ['memory_cost' => 8_192, 'time_cost' => 1, 'threads' => 1];
foreach ([password_hash(PASSWORD, PASSWORD_BCRYPT), password_hash(PASSWORD, PASSWORD_ARGON2ID, $weak)] as $hash) {
    $old = new Row($hash);
    assert(!$passwords->verify($old, 'wrong') && $old->saved === 0);
    assert($passwords->verify($old, PASSWORD) && $old->saved === 1 && preg_match(FORM, $old->hash) === 1);
    assert($passwords->verify($old, PASSWORD) && $old->saved === 1);
}

// A name that nobody has takes the time of one that somebody has, even with the password of the dummy.
assert(!$passwords->verify(null, PASSWORD) && !$passwords->verify(null, 'a random password'));
$seconds = function (?Account $account) use ($passwords): float {
    $times = [];
    for ($n = 0; $n < 15; $n++) {
        $begin = hrtime(true);
        $passwords->verify($account, 'wrong');
        $times[] = hrtime(true) - $begin;
    }
    sort($times);
    return $times[7] / 1e9;
};
[$known, $unknown] = [$seconds($ann), $seconds(null)];
assert($unknown > $known / 3 && $unknown < $known * 3, "$known and $unknown seconds");

// The password is not in the trace of an error.
try {
    $passwords->hash('s3cret' . str_repeat('a', 1_001));
} catch (LengthException $error) {
    assert(!str_contains(print_r($error->getTrace(), true), 's3cret'));
}
