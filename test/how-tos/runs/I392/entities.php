<?php
// What the how-to expects of the application.
namespace App\Entity;

use Doctrine\ORM\Mapping as ORM;

#[ORM\Entity]
class Customer
{
    #[ORM\Id, ORM\GeneratedValue, ORM\Column]
    public ?int $id = null;

    public function __construct(#[ORM\Column] public string $name)
    {
    }
}

#[ORM\Entity]
class Address
{
    #[ORM\Id, ORM\GeneratedValue, ORM\Column]
    public ?int $id = null;

    public function __construct(#[ORM\ManyToOne] public Customer $customer)
    {
    }
}

#[ORM\Entity, ORM\Table(name: 'purchase')]
class Order
{
    #[ORM\Id, ORM\GeneratedValue, ORM\Column]
    public ?int $id = null;

    public function __construct(#[ORM\ManyToOne] public Customer $customer, #[ORM\ManyToOne] public Address $address)
    {
    }
}

final class User
{
    public function __construct(public Customer $customer)
    {
    }
}
