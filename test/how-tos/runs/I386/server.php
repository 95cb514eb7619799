<?php
// Answers on one address with TLS, and writes down each connection.
[, $address, $name] = $argv;
$options = ['ssl' => ['local_cert' => "$name.crt", 'local_pk' => "$name.key"]];
$server = stream_socket_server("tcp://$address:443", $code, $text, context: stream_context_create($options));
touch("$address.ready");
while (true) {
    $connection = @stream_socket_accept($server, -1);
    file_put_contents("$address.log", "connection\n", FILE_APPEND);
    if (!@stream_socket_enable_crypto($connection, true, STREAM_CRYPTO_METHOD_TLS_SERVER)) {
        fclose($connection);
        continue;
    }
    $path = explode(' ', (string) fgets($connection))[1] ?? '';
    file_put_contents("$address.log", "$path\n", FILE_APPEND);
    while (trim((string) fgets($connection)) !== '') {
    }
    [$head, $body] = match ($path) {
        '/a.png' => ["200 OK\r\nContent-Type: image/png", 'picture'],
        '/large' => ["200 OK\r\nContent-Type: image/png", str_repeat('a', 5_000_000)],
        '/type' => ["200 OK\r\nContent-Type: Image/PNG; x=y", 'picture'],
        '/text' => ["200 OK\r\nContent-Type: text/html", 'text'],
        '/missing' => ["404 Not Found\r\nContent-Type: image/png", 'picture'],
        '/redirect' => ["302 Found\r\nLocation: /a.png", ''],
        '/loop' => ["302 Found\r\nLocation: /loop", ''],
        '/loopback' => ["302 Found\r\nLocation: https://internal.example/a.png", ''],
        '/literal' => ["302 Found\r\nLocation: https://127.0.0.1/a.png", ''],
        '/plain' => ["302 Found\r\nLocation: http://pictures.example/a.png", ''],
        '/file' => ["302 Found\r\nLocation: file:///etc/passwd", ''],
        '/nowhere' => ['302 Found', ''],
        '/endless', '/slow' => ["200 OK\r\nContent-Type: image/png", null],
    };
    fwrite($connection, "HTTP/1.1 $head\r\nConnection: close\r\n\r\n" . $body);
    $left = $path === '/slow' ? 300 : 3_000;
    while ($body === null && $left-- > 0 && @fwrite($connection, str_repeat('a', $path === '/slow' ? 1 : 65_536))) {
        usleep($path === '/slow' ? 100_000 : 0);
    }
    fclose($connection);
}
