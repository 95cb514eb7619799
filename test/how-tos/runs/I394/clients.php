<?php
require 'support/php.php';
extensions('curl', 'openssl', 'pdo_pgsql');
published('block_1.php');

$clients = new App\Net\TlsClients(getcwd() . '/trusted.crt');
$port = (int) $argv[1];
foreach (['good' => true, 'name' => false, 'expired' => false, 'other' => false, 'self' => false] as $name => $accepted) {
    for ($n = 0; $n < 100 && !is_file("$name.ready"); $n++) {
        usleep(100_000);
        clearstatcache();
    }
    same(true, is_file("$name.ready"), "server $name");
    same($accepted ? 'hello' : false, curl_exec($clients->http("https://localhost:$port/")), "curl, $name");
    $stream = $clients->stream('localhost', $port);
    same($accepted, is_resource($stream), "stream, $name");
    same(true, !$accepted || str_ends_with((string) stream_get_contents($stream, 80), 'hello'), "content, $name");
    // The server does answer a client that checks nothing.
    $careless = $clients->http("https://localhost:$port/");
    curl_setopt_array($careless, [CURLOPT_SSL_VERIFYPEER => false, CURLOPT_SSL_VERIFYHOST => 0]);
    same('hello', curl_exec($careless), "careless, $name");
    $port++;
}
same(false, curl_exec($clients->http("http://localhost:$argv[1]/")), 'plain HTTP');
foreach (['good' => true, 'name' => false, 'other' => false, 'plain' => false] as $name => $accepted) {
    $connect = fn () => $clients->postgresql('localhost', $port, 'postgres', 'postgres', '')->query('SELECT 1')->fetchColumn();
    $accepted ? same(1, $connect(), "PostgreSQL, $name") : refused(PDOException::class, $connect, "PostgreSQL, $name");
    same(1, (new PDO("pgsql:host=localhost;port=$port;dbname=postgres;sslmode=prefer", 'postgres', ''))->query('SELECT 1')->fetchColumn(), "careless, $name");
    $port++;
}

mkdir('src');
copy('block_1.php', 'src/TlsClients.php');
$search = <<<'SH'
    grep -rlE "VERIFY(PEER|HOST)|verify_peer|'verify(_host)?' => false|withoutVerifying|allow_self_signed|sslmode=(require|prefer|allow|disable)" src
    SH;
same("src/TlsClients.php\n", shell_exec($search), 'search');
foreach (["Http::withoutVerifying()", "['verify' => false]", '"pgsql:sslmode=require"', 'CURLOPT_SSL_VERIFYPEER => 0'] as $sample) {
    file_put_contents('src/bad.php', $sample);
    same(2, substr_count((string) shell_exec($search), "\n"), "search with $sample");
}
