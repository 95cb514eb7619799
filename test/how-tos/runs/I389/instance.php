<?php
// An instance of the service, with a connection of its own.
require 'support/php.php';
extensions('pdo_sqlite', 'mbstring');
packages('Psr/Log');
published('block_2.php');

use Psr\Log\AbstractLogger;

final class Lines extends AbstractLogger
{
    public array $all = [];

    public function log($level, string|Stringable $message, array $context = []): void
    {
        $this->all[] = $level;
    }
}

function database(): PDO
{
    $database = new PDO('sqlite:failures.db');
    $database->exec('PRAGMA busy_timeout = 20000');
    $database->exec('PRAGMA synchronous = OFF');
    return $database;
}
