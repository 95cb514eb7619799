<?php
require 'support/php.php';
extensions('curl', 'openssl');
published('block_1.php');

use App\Http\PictureFetcher;

$names = ['pictures.example' => ['93.184.215.14'], 'wrong.example' => ['93.184.215.15'], 'internal.example' => ['127.0.0.1']];
$asked = [];
$fetcher = new PictureFetcher(static function (string $host) use ($names, &$asked): array|false {
    $asked[] = $host;
    return $names[strtolower($host)] ?? false;
});
same('picture', $fetcher->fetch('https://pictures.example/a.png'), 'picture');
same(['pictures.example'], $asked, 'one lookup');
same('picture', $fetcher->fetch('https://Pictures.example/redirect'), 'redirect');
same('picture', $fetcher->fetch('https://pictures.example/type'), 'type with a parameter');
same(5_000_000, strlen($fetcher->fetch('https://pictures.example/large')), 'as large as allowed');

$refused = static fn (string $url, ?PictureFetcher $with = null) => refused(
    RuntimeException::class,
    static fn () => ($with ?? $fetcher)->fetch($url),
    $url,
);
foreach (['text', 'missing', 'loop', 'loopback', 'literal', 'plain', 'file', 'nowhere', 'endless'] as $path) {
    $refused("https://pictures.example/$path");
}
$start = microtime(true);
$refused('https://pictures.example/slow');
$took = microtime(true) - $start;
same(true, $took > 8 && $took < 25, "$took seconds");
$refused('https://wrong.example/a.png');
$refused('https://unknown.example/');

// Names that change their address: the second answer is never asked for.
$answers = [['93.184.215.14'], ['127.0.0.1']];
$rebinding = new PictureFetcher(static function () use (&$answers): array {
    return array_shift($answers);
});
same('picture', $rebinding->fetch('https://pictures.example/a.png'), 'a name that changes');
same(1, count($answers), 'lookups');

$before = count(file('93.184.215.14.log'));
$private = ['127.0.0.1', '10.0.0.1', '172.16.0.1', '192.168.0.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', '224.0.0.1',
    '239.255.255.255', '255.255.255.255', '198.18.0.1', '192.0.2.1', '::1', '::ffff:127.0.0.1', '2606:4700::1', 'text'];
foreach ($private as $address) {
    $refused('https://pictures.example/a.png', new PictureFetcher(static fn (): array => [$address]));
    $refused('https://pictures.example/a.png', new PictureFetcher(static fn (): array => ['93.184.215.14', $address]));
}
$urls = ['http://pictures.example/a.png', 'file:///etc/passwd', 'https://pictures.example:22/', 'https://pictures.example:443/a.png',
    'https://2130706433/', 'https://0x7f.1/', 'https://127.0.0.1/', 'https://127.1/', 'https://[::1]/', 'https://localhost/',
    'https://a@pictures.example/a.png', 'https://pictures.example\\@internal.example/', "https://pictures.example/a.png\n",
    'https://pictures.example/ a', 'https://pictures.example./', 'HTTPS://internal.example/a.png', "https://pictures.example/\0", ''];
foreach ($urls as $url) {
    $refused($url);
}
same($before, count(file('93.184.215.14.log')), 'connections for refused addresses');
same(false, is_file('127.0.0.1.log'), 'connections to loopback');

// The servers of the check do answer a client that checks nothing.
$curl = curl_init('https://internal.example/a.png');
curl_setopt_array($curl, [CURLOPT_RESOLVE => ['internal.example:443:127.0.0.1'], CURLOPT_SSL_VERIFYPEER => false,
    CURLOPT_SSL_VERIFYHOST => 0, CURLOPT_RETURNTRANSFER => true, CURLOPT_PROXY => '']);
same('picture', curl_exec($curl), 'the server on loopback');
