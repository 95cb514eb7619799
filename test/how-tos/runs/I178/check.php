<?php
// Renders mails to customers whose names are templates. PHPStan, which forbids the other way, is not in Debian.
require 'support/php.php';
packages('Twig', 'Symfony/Component/Yaml');
eval('namespace App\Entity; final class Invoice { public function __construct(public string $customerName, public array $lines) {} }');
published('block_2.php');

use App\Entity\Invoice;
use App\Mail\InvoiceMail;
use Symfony\Component\Yaml\Yaml;
use Twig\Environment;
use Twig\Error\Error;
use Twig\Loader\FilesystemLoader;

mkdir('templates/mail', recursive: true);
file_put_contents('templates/mail/invoice.html.twig', '<p>Dear {{ customer }}</p>{% for line in lines %}<li>{{ line }}</li>{% endfor %}');
$twig = new Environment(new FilesystemLoader('templates'), ['strict_variables' => true]);
$body = static fn (string $name, array $lines = ['Tea']): string => (new InvoiceMail($twig))->body(new Invoice($name, $lines));
same('<p>Dear Ann O&#039;Neil</p><li>Tea</li>', $body("Ann O'Neil"), 'a usual name');

$hostile = ["{{ ['touch ran']|map('system')|join }}", '{{7*7}}', '${7*7}', '<%= 7*7 %>', '#{7*7}', "{{ include('/etc/passwd') }}",
    '{% set a = 7*7 %}{{ a }}', "{{ template_from_string('{{ 7*7 }}') }}", '{{ _self.env }}', '<script>alert(7*7)</script>'];
foreach ($hostile as $text) {
    $shown = htmlspecialchars($text, ENT_QUOTES | ENT_SUBSTITUTE, 'UTF-8');
    same("<p>Dear $shown</p><li>$shown</li>", $body($text, [$text]), $text);
}
same(false, is_file('ran'), 'a command of a name ran');
foreach (["{{ template_from_string('{{ 7*7 }}') }}", "{{ include('../../etc/passwd') }}"] as $text) {
    file_put_contents('templates/other.html.twig', $text);
    refused(Error::class, static fn () => (new Environment(new FilesystemLoader('templates')))->render('other.html.twig'), $text);
}
// What the rules forbid does run the name.
same('49', $twig->createTemplate('{{7*7}}')->render(), 'createTemplate');

// The rules name methods that exist.
$rules = Yaml::parseFile('block_1.yaml')['parameters'];
foreach ($rules['disallowedMethodCalls'] as ['method' => $method]) {
    [$class, $name] = explode('::', rtrim($method, '()'));
    same(true, $name === '__construct' ? class_exists($class) : method_exists($class, $name), $method);
}
