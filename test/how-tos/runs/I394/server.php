<?php
// Answers each connection over TLS.
[, $port, $name] = $argv;
$context = stream_context_create(['ssl' => ['local_cert' => "$name.crt", 'local_pk' => "$name.key"]]);
$server = stream_socket_server("tcp://localhost:$port", $code, $text, context: $context);
touch("$name.ready");
while (true) {
    $connection = @stream_socket_accept($server, -1);
    if (@stream_socket_enable_crypto($connection, true, STREAM_CRYPTO_METHOD_TLS_SERVER)) {
        @fwrite($connection, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello");
        @fread($connection, 1000);
    }
    fclose($connection);
}
