<?php
// Passes messages and old carts, with an object that would act when it is created or removed.
require 'support/php.php';
published('block_1.php');
published('block_2.php');

use App\Messages\OldCart;
use App\Messages\OrderPlaced;

final class Gadget
{
    public static int $runs = 0;
    public string $command = 'id';

    public function __wakeup(): void
    {
        self::$runs++;
    }

    public function __destruct()
    {
        self::$runs++;
    }
}

$valid = ['id' => str_repeat('a1', 16), 'lines' => ['A123456' => 2], 'placed_at' => 1_790_000_000];
$order = OrderPlaced::fromJson(json_encode($valid));
same([$valid['id'], ['A123456' => 2], 1_790_000_000], [$order->id, $order->lines, $order->placedAt], 'message');
refused(Error::class, static function () use ($order): void {
    $order->id = 'x';
}, 'a change');
$bad = [
    array_diff_key($valid, ['placed_at' => 1]),
    $valid + ['role' => 'admin'],
    ['id' => 5] + $valid,
    ['id' => $valid['id'] . "\n"] + $valid,
    ['placed_at' => '1790000000'] + $valid,
    ['lines' => []] + $valid,
    ['lines' => ['A123456' => '2']] + $valid,
    ['lines' => ['A123456' => 0]] + $valid,
    ['lines' => ['A123456' => 1001]] + $valid,
    ['lines' => ['B1' => 1]] + $valid,
    ['lines' => [[[[1]]]]] + $valid,
    [],
];
foreach ($bad as $index => $message) {
    refused(UnexpectedValueException::class, fn () => OrderPlaced::fromJson(json_encode($message)), "message $index");
}
$texts = ['', 'null', '"a"', '{', serialize(['id' => 'a']), json_encode($valid + ['x' => str_repeat('a', 65_536)])];
foreach ($texts as $text) {
    refused(UnexpectedValueException::class, fn () => OrderPlaced::fromJson($text), 'text');
}

$key = random_bytes(32);
$sign = static function (mixed $value) use ($key): string {
    $payload = base64_encode(is_string($value) ? $value : serialize($value));
    return hash_hmac('sha256', $payload, $key) . ".$payload";
};
$cart = ['lines' => ['A123456' => 2], 'total' => 12.5];
same($cart, OldCart::read($sign($cart), $key), 'old cart');
$gadget = serialize(['lines' => [new Gadget()]]);
same(1, Gadget::$runs, 'the gadget acts when it is removed');
foreach ([$gadget, serialize([new ArrayObject([1])]), serialize('text'), 'a:1:{', ''] as $payload) {
    refused(UnexpectedValueException::class, fn () => OldCart::read($sign($payload), $key), "cart $payload");
}
same(1, Gadget::$runs, 'runs of the gadget');
refused(UnexpectedValueException::class, fn () => OldCart::read('0' . substr($sign($cart), 1), $key . 'x'), 'key');
refused(UnexpectedValueException::class, fn () => OldCart::read(explode('.', $sign($cart))[1], $key), 'no signature');
refused(UnexpectedValueException::class, fn () => OldCart::read($sign($cart) . 'A', $key), 'changed payload');

mkdir('src');
copy('block_1.php', 'src/OrderPlaced.php');
copy('block_2.php', 'src/OldCart.php');
file_put_contents('src/Own.php', '$a->unserialized($extracted);');
exec("grep -rlwE 'unserialize|eval|extract' src", $found);
same(['src/OldCart.php'], $found, 'search');
