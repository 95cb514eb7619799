<?php

require 'block_1.php';

$all = $_FILES['files'] ?? ['name' => []];
$stored = [];
try {
    if (count($all['name']) > 10) {
        throw new InvalidUpload('Too many files.');
    }
    foreach (array_keys($all['name']) as $i) {
        $stored[] = storeUpload(array_map(fn (array $values) => $values[$i], $all), __DIR__ . '/uploads');
    }
} catch (InvalidUpload $error) {
    http_response_code(422);
    $stored = $error->getMessage();
}
echo json_encode($stored);
