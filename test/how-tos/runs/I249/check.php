<?php
// Signs in over HTTP, moves the times of the session in Redis, and uses its cookie again.
require 'support/php.php';
extensions('redis', 'curl');
exec('command -v redis-server', $found);
$found !== [] || lacks('redis-server');

function free_port(): int
{
    $socket = stream_socket_server('tcp://127.0.0.1:0');
    return (int) substr(strrchr(stream_socket_get_name($socket, false), ':'), 1);
}

/** @param list<string> $command */
function background(array $command): void
{
    $process = proc_open($command, [1 => ['file', '/dev/null', 'w'], 2 => ['file', 'server.log', 'a']], $pipes);
    register_shutdown_function(static fn () => proc_terminate($process));
}

$store = free_port();
background(['redis-server', '--port', (string) $store, '--bind', '127.0.0.1', '--save', '']);
putenv("REDIS_SESSION_DSN=redis://127.0.0.1:$store");
exec(escapeshellarg(PHP_BINARY) . ' index.php 2>&1', $output, $code);
same(0, $code, implode("\n", $output));
$port = free_port();
background([PHP_BINARY, '-S', "127.0.0.1:$port", 'index.php']);
$redis = new Redis();
for ($attempt = 0; $attempt < 200; $attempt++) {
    try {
        if ($redis->connect('127.0.0.1', $store) && @fsockopen('127.0.0.1', $port)) {
            break;
        }
    } catch (RedisException) {
    }
    usleep(50_000);
}

/** @return array{int, string, ?string, string} status, body, cookie, location */
function call(string $path, ?string $cookie = null, ?array $fields = null): array
{
    global $port;
    $curl = curl_init("http://127.0.0.1:$port$path");
    $set = null;
    $location = '';
    curl_setopt_array($curl, [
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_HTTPHEADER => $cookie === null ? [] : ["Cookie: __Host-session=$cookie"],
        CURLOPT_HEADERFUNCTION => static function ($_, string $line) use (&$set, &$location): int {
            if (stripos($line, 'set-cookie:') === 0) {
                $set = trim(substr($line, 11));
            } elseif (stripos($line, 'location:') === 0) {
                $location = (string) parse_url(trim(substr($line, 9)), PHP_URL_PATH);
            }
            return strlen($line);
        },
    ] + ($fields === null ? [] : [CURLOPT_POSTFIELDS => http_build_query($fields)]));
    $body = curl_exec($curl);
    return [curl_getinfo($curl, CURLINFO_RESPONSE_CODE), $body, $set, $location];
}

/** The value, after a look at the attributes. */
function cookie(?string $set, string $what): string
{
    same(1, preg_match('/^__Host-session=([^;]*)/', (string) $set, $parts), "$what: cookie $set");
    $attributes = array_map(static fn ($part) => strtolower(trim($part)), array_slice(explode(';', $set), 1));
    sort($attributes);
    same(['httponly', 'path=/', 'samesite=lax', 'secure'], $attributes, $what);
    return $parts[1];
}

function sign_in(): string
{
    [, , $set] = call('/sign-in');
    $before = cookie($set, 'page');
    [$status, , $set, $location] = call('/sign-in', $before, ['_username' => 'ann', '_password' => 'x']);
    same([302, '/account'], [$status, $location], 'sign-in');
    $value = cookie($set, 'sign-in');
    same(true, $value !== $before, 'another id after sign-in');
    return $value;
}

/** Makes a session older: its last use, or its start, or both. */
function age(string $id, int $unused, int $since): void
{
    global $redis;
    $key = $redis->keys("*$id")[0];
    $data = preg_replace_callback(
        '/_sf2_meta\|a:3:{s:1:"u";i:(\d+);s:1:"c";i:(\d+);/',
        static fn ($found) => sprintf('_sf2_meta|a:3:{s:1:"u";i:%d;s:1:"c";i:%d;', time() - $unused, time() - $since),
        $redis->get($key),
        count: $count,
    );
    same(1, $count, 'times in the session');
    $redis->set($key, $data, ['KEEPTTL']);
}

cookie(call('/error')[2], 'error page');
same(500, call('/error')[0], 'error page');
$ids = [];
for ($count = 0; $count < 20; $count++) {
    $ids[] = $id = cookie(call('/sign-in')[2], 'page');
    same(1, preg_match('/^[0-9a-f]{32}$/', $id), $id);
}
same(20, count(array_unique($ids)), 'different ids');
same(false, call('/account', bin2hex(random_bytes(16)))[0] === 200, 'an id that nobody has');

$open = static fn (string $id): array => array_slice(call('/account', $id), 0, 2);
$leads_to_sign_in = static function (string $id, string $what): void {
    [$status, , , $location] = call('/account', $id);
    same([302, '/sign-in'], [$status, $location], $what);
};
$id = sign_in();
same([200, 'ann'], $open($id), 'next page');
$ttl = $redis->ttl($redis->keys("*$id")[0]);
same(true, $ttl > 1700 && $ttl <= 1800, "lifetime in Redis: $ttl");
age($id, 29 * 60, 29 * 60);
same([200, 'ann'], $open($id), 'after 29 minutes');
age($id, 31 * 60, 31 * 60);
$leads_to_sign_in($id, 'after 31 minutes');
$leads_to_sign_in($id, 'after 31 minutes, again');

$id = sign_in();
age($id, 60, 8 * 3600 - 60);
same([200, 'ann'], $open($id), 'of constant use, before eight hours');
age($id, 60, 8 * 3600 + 60);
$leads_to_sign_in($id, 'of constant use, after eight hours');

$id = sign_in();
[$status, , $set] = call('/sign-out', $id);
same(302, $status, 'sign-out');
same(1, preg_match('/^__Host-session=(deleted)?;/', (string) $set), "cookie at sign-out: $set");
same(1, preg_match('/;\s*secure/i', $set), "secure at sign-out: $set");
same(1, preg_match('#;\s*path=/(;|$)#i', $set), "path at sign-out: $set");
$leads_to_sign_in($id, 'after sign-out');
