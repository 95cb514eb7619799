<?php
// Reads, changes and deletes orders of two customers in SQLite.
require 'support/php.php';
extensions('pdo_sqlite');
packages('Doctrine/ORM', 'Symfony/Component/Cache');
require 'entities.php';
published('src/Orders/CustomerOrders.php');

use App\Entity\Address;
use App\Entity\Customer;
use App\Entity\Order;
use App\Entity\User;
use App\Orders\CustomerOrders;
use Doctrine\DBAL\DriverManager;
use Doctrine\ORM\EntityManager;
use Doctrine\ORM\ORMSetup;
use Doctrine\ORM\Tools\SchemaTool;

$config = ORMSetup::createAttributeMetadataConfiguration([getcwd()], true);
$entities = new EntityManager(DriverManager::getConnection(['driver' => 'pdo_sqlite', 'memory' => true]), $config);
(new SchemaTool($entities))->createSchema($entities->getMetadataFactory()->getAllMetadata());
$make = static function (string $name) use ($entities): array {
    $customer = new Customer($name);
    $address = new Address($customer);
    $order = new Order($customer, $address);
    foreach ([$customer, $address, $order] as $entity) {
        $entities->persist($entity);
    }
    $entities->flush();
    return [new User($customer), $order->id, $address->id];
};
[$ann, $annsOrder, $annsAddress] = $make('Ann');
[$bob, $bobsOrder, $bobsAddress] = $make('Bob');
$second = new Address($ann->customer);
$entities->persist($second);
$entities->flush();

$orders = new CustomerOrders($entities);
$rows = static fn (): array => $entities->getConnection()->fetchAllKeyValue('SELECT id, address_id FROM purchase ORDER BY id');
same($annsOrder, $orders->find($ann, $annsOrder)?->id, 'own order');
foreach ([$bobsOrder, 0, -1, 999] as $id) {
    same(null, $orders->find($ann, $id), "order $id");
    same(false, $orders->sendTo($ann, $id, $annsAddress), "address of order $id");
    same(false, $orders->delete($ann, $id), "deletion of order $id");
}
same(false, $orders->sendTo($ann, $annsOrder, $bobsAddress), 'the address of another customer');
same(false, $orders->sendTo($ann, $annsOrder, 999), 'an address that does not exist');
same([$annsOrder => $annsAddress, $bobsOrder => $bobsAddress], $rows(), 'rows');
same(true, $orders->sendTo($ann, $annsOrder, $second->id), 'own address');
same([$annsOrder => $second->id, $bobsOrder => $bobsAddress], $rows(), 'rows after the change');
same(true, $orders->delete($ann, $annsOrder), 'deletion');
same([$bobsOrder => $bobsAddress], $rows(), 'rows after the deletion');
same(false, method_exists($orders, 'findAll') || method_exists($orders, 'findBy'), 'inherited finders');
same(null, $orders->find($ann, $annsOrder), 'the deleted order');

mkdir('src/Controller');
file_put_contents('src/Controller/Bad.php', "\$this->entities->find(Order::class, \$id);\n#[MapEntity] Order \$order\n\$orders->of(\$user);\n");
$search = "grep -rnE -e '->(find|findBy|findOneBy|findAll|getReference|getRepository)\\(|MapEntity' src/Controller";
same(2, substr_count(shell_exec($search), "\n"), 'search');
