<?php
// Requests links and uses them: once, again, late, and after what should end them.
require 'support/php.php';
extensions('pdo_sqlite', 'mbstring');
in_array('argon2id', password_algos(), true) || lacks('argon2id');
published('block_2.php');

$database = new PDO('sqlite::memory:');
$database->exec(file_get_contents('block_1.sql'));
$database->exec('CREATE TABLE account (id integer PRIMARY KEY, email text, password_hash text, remember_token text)');
$database->exec("INSERT INTO account VALUES (1, 'ann@example.com', 'old', 'remembered'), (2, 'bob@example.com', 'old', 'remembered')");
$_SERVER['HTTP_HOST'] = 'evil.example';
$resets = new App\Security\PasswordResets($database, 'https://app.example.com');
$now = 1_790_000_000;
$token = static function (string $email, int $now) use ($resets): string {
    $mail = $resets->request($email, $now);
    same(strtolower(trim($email)), $mail['to'], 'receiver');
    same(1, preg_match('~\Ahttps://app\.example\.com/reset-password#([\w-]{43})\z~', $mail['link'], $parts), $mail['link']);
    return $parts[1];
};
$hash = static fn (int $id): string => $database->query("SELECT password_hash FROM account WHERE id = $id")->fetchColumn();
$left = static fn (): int => (int) $database->query('SELECT count(*) FROM password_reset')->fetchColumn();

$first = $token(' Ann@Example.com', $now);
same(false, str_contains(json_encode($database->query('SELECT * FROM password_reset')->fetchAll()), $first), 'the token is in the table');
same('ann@example.com', $resets->complete($first, 'correct horse battery', $now + 3599), 'valid link');
same(true, password_verify('correct horse battery', $hash(1)), 'new password');
same(1, preg_match('/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/', $hash(1)), 'form of the hash');
same(null, $database->query('SELECT remember_token FROM account WHERE id = 1')->fetchColumn(), 'remembered sign-ins');
same('old', $hash(2), 'another account');
$kept = $hash(1);

same(null, $resets->complete($first, 'again', $now), 'a second time');
same(null, $resets->complete($token('ann@example.com', $now), 'late', $now + 3600), 'late');
$older = $token('ann@example.com', $now);
$newer = $token('ann@example.com', $now);
same(null, $resets->complete($older, 'older', $now), 'after a newer request');
same(null, $resets->complete($newer . 'x', 'changed', $now), 'changed');
same(null, $resets->complete(strtoupper($newer), 'changed', $now), 'capitals');
same(null, $resets->complete('', 'empty', $now), 'empty');
same(null, $resets->complete(hash('sha256', $newer), 'hash', $now), 'the stored hash');
$database->exec("UPDATE account SET email = 'ann@new.example' WHERE id = 1");
same(null, $resets->complete($newer, 'moved', $now), 'after a change of the address');
same($kept, $hash(1), 'the password');
same(0, $left(), 'rows');

same(null, $resets->request('unknown@example.com', $now), 'an unknown address');
same(0, $left(), 'rows after an unknown address');
$bobs = $token('bob@example.com', $now);
$anns = $token('ann@new.example', $now);
same(false, $bobs === $anns, 'different tokens');
same('bob@example.com', $resets->complete($bobs, 'of bob', $now), 'the link of Bob');
same($kept, $hash(1), 'the password of Ann');
same('ann@new.example', $resets->complete($anns, 'of ann', $now), 'the link of Ann');

// A failure in the middle leaves the link usable.
$again = $token('bob@example.com', $now);
$database->exec("CREATE TRIGGER broken BEFORE UPDATE ON account BEGIN SELECT RAISE(ABORT, 'broken'); END");
refused(PDOException::class, fn () => $resets->complete($again, 'x', $now), 'a failure of the database');
$database->exec('DROP TRIGGER broken');
same('bob@example.com', $resets->complete($again, 'later', $now), 'after the failure');
