<?php
// Posts orders with fields that nobody should be able to set.
foreach (['Entity/Order', 'Service/Orders'] as $name) {
    mkdir(dirname("src/$name"), recursive: true);
}
file_put_contents('src/Entity/Order.php', <<<'PHP'
    <?php
    namespace App\Entity;

    final class Order
    {
        public ?string $paidAt = null;
        public string $secret = 'internal';

        public function __construct(public int $id, public string $article, public int $quantity, public string $note, public int $customerId)
        {
        }
    }
    PHP);
file_put_contents('src/Service/Orders.php', <<<'PHP'
    <?php
    namespace App\Service;

    use App\Entity\Order;

    final class Orders
    {
        public array $rows = [];

        public function place(string $article, int $quantity, string $note): Order
        {
            return $this->rows[] = new Order(count($this->rows) + 1, $article, $quantity, $note, 7);
        }
    }
    PHP);
require 'support/symfony.php';
$application = new Application();
$application->boot();
$orders = $application->getContainer()->get(App\Service\Orders::class);
$post = static function (mixed $value, string $type = 'application/json') use ($application): array {
    $body = is_string($value) ? $value : json_encode($value);
    $response = $application->call('POST', '/orders', ['Content-Type' => $type], body: $body);
    return [$response->getStatusCode(), $response->getContent()];
};

$valid = ['article' => 'A123456', 'quantity' => 5];
same([201, '{"id":1,"article":"A123456","quantity":5}'], $post($valid), 'order');
same([201, '{"id":2,"article":"A123456","quantity":5}'], $post($valid + ['note' => 'ring twice']), 'with a note');
same('ring twice', $orders->rows[1]->note, 'note');
foreach (['customerId' => 8, 'paidAt' => '2026-01-01', 'id' => 9, 'secret' => 'x', 'customer' => ['id' => 8], 'note[]' => 'x', '' => 1] as $field => $value) {
    same(422, $post($valid + [$field => $value])[0], "the field $field");
}
$bad = [['quantity' => '5'] + $valid, ['quantity' => 5.5] + $valid, ['quantity' => 0] + $valid, ['quantity' => 1001] + $valid,
    ['quantity' => null] + $valid, ['quantity' => 5], ['article' => "A123456\n"] + $valid, ['article' => 'a1'] + $valid,
    ['article' => ['A123456']] + $valid, $valid + ['note' => str_repeat('x', 201)], []];
foreach ($bad as $value) {
    same(422, $post($value)[0], json_encode($value));
}
same(415, $post('article=A123456&quantity=5', 'application/x-www-form-urlencoded')[0], 'a form');
same(400, $post('{')[0], 'no JSON');
same(2, count($orders->rows), 'rows');
