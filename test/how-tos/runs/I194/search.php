<?php

require 'orders.php';

$pdo = connect();
$ids = fn (array $statuses, string $sort = 'created', int $tenant = 1): array =>
    array_column(searchOrders($pdo, $tenant, $statuses, $sort), 'id');

assert($ids(['paid']) === [2, 1]);
assert($ids(['paid', 'open']) === [2, 1, 3]);
assert($ids(['paid', 'open'], 'total') === [3, 2, 1]);
assert($ids(['a' => 'paid', 'b' => 'open']) === [2, 1, 3]);
assert($ids(['paid'], 'created', 2) === [4]);
assert($ids(["O'Brien'--"]) === [5]);
assert($ids([]) === []);
assert(array_keys(searchOrders($pdo, 1, ['paid'], 'total')[0]) === ['id', 'status']);

$begin = hrtime(true);
foreach (["' OR '1'='1", "paid' --", "x') OR tenant_id = 2 --", "' || pg_sleep(20) || '", "'; DROP TABLE orders; --", '?', '$1'] as $text) {
    assert($ids([$text]) === [], $text);
    assert($ids(['paid', $text]) === [2, 1], $text);
}
foreach (['total; DROP TABLE orders', 'total_cents', 'TOTAL', '', '1', '(SELECT pg_sleep(20))', 'created DESC'] as $sort) {
    try {
        $ids(['paid'], $sort);
        assert(false, "sorted by $sort");
    } catch (InvalidArgumentException) {
    }
}
assert(hrtime(true) - $begin < 15e9, 'a value was executed');

// The server prepares the statement: it gets two of them in one text only if the client puts values into the text.
assert($pdo->getAttribute(PDO::ATTR_EMULATE_PREPARES) === false);
try {
    $pdo->prepare('SELECT 1; SELECT 2')->execute();
    assert(false, 'two statements in one text');
} catch (PDOException) {
}
try {
    $pdo->query('SELECT * FROM missing');
    assert(false, 'an error is no exception');
} catch (PDOException) {
}
assert($ids(['paid']) === [2, 1]);
