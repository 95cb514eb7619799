<?php
// Parses hostile documents, while a loader of the test counts what they try to load.
require 'support/php.php';
extensions('dom', 'xmlreader', 'simplexml');
ini_set('memory_limit', '256M');
published('block_1.php');

use App\Xml\XmlFactory;

$requests = [];
libxml_set_external_entity_loader(static function (?string $public, string $system) use (&$requests) {
    $requests[] = $system;
    return null;
});
file_put_contents('secret.txt', 'top secret');
$file = 'file://' . getcwd() . '/secret.txt';
$levels = static fn (int $n): string => str_repeat('<a>', $n) . 'x' . str_repeat('</a>', $n);
$laughs = '';
for ($n = 1; $n < 12; $n++) {
    $laughs .= "<!ENTITY l$n '" . str_repeat('&l' . ($n - 1) . ';', 10) . "'>";
}

$valid = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><order>Müller &amp; Söhne</order>";
same('Müller & Söhne', XmlFactory::parse($valid)->documentElement->textContent, 'document');
same('Müller & Söhne', (string) simplexml_import_dom(XmlFactory::parse($valid)), 'SimpleXML');
same('x', XmlFactory::parse($levels(99))->documentElement->textContent, '99 levels');

$utf16 = "<!DOCTYPE a [<!ENTITY x SYSTEM '$file'>]><a>&x;</a>";
$bad = [
    'file entity' => "<!DOCTYPE a [<!ENTITY x SYSTEM '$file'>]><a>&x;</a>",
    'entity in an attribute' => "<!DOCTYPE a [<!ENTITY x 'y'>]><a b='&x;'/>",
    'remote entity' => "<!DOCTYPE a [<!ENTITY x SYSTEM 'http://192.0.2.1/x'>]><a>&x;</a>",
    'parameter entity' => "<!DOCTYPE a [<!ENTITY % x SYSTEM 'http://192.0.2.1/x'> %x;]><a/>",
    'external DTD' => "<!DOCTYPE a SYSTEM 'http://192.0.2.1/a.dtd'><a/>",
    'nested expansion' => "<!DOCTYPE a [<!ENTITY l0 'lol'>$laughs]><a>&l11;</a>",
    'UTF-16' => "\xFF\xFE" . mb_convert_encoding("<?xml version=\"1.0\" encoding=\"UTF-16\"?>$utf16", 'UTF-16LE', 'UTF-8'),
    'empty DOCTYPE' => '<!DOCTYPE a><a/>',
    '101 levels' => $levels(101),
    '20,000 levels' => $levels(20_000),
    'size' => '<a>' . str_repeat('x', 11_000_000) . '</a>',
    'text after the root' => '<a/>x',
    'no end' => '<a>',
    'no document' => '',
];
foreach ($bad as $what => $xml) {
    refused(UnexpectedValueException::class, fn () => XmlFactory::parse($xml), $what);
}
$include = "<a xmlns:xi='http://www.w3.org/2001/XInclude'><xi:include href='$file' parse='text'/></a>";
same('', XmlFactory::parse($include)->documentElement->textContent, 'XInclude');
$schema = "<a xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:noNamespaceSchemaLocation='http://192.0.2.1/a.xsd'/>";
same('a', XmlFactory::parse($schema)->documentElement->tagName, 'schema');
same([], $requests, 'requests');
same(true, memory_get_peak_usage() < 200_000_000, 'memory');

// The loader does see what a parser with the wrong flags loads.
@(new DOMDocument())->loadXML($bad['file entity'], LIBXML_NOENT | LIBXML_DTDLOAD);
same([$file], $requests, 'the loader counts');

mkdir('src');
copy('block_1.php', 'src/XmlFactory.php');
file_put_contents('src/bad.php', 'simplexml_load_string($x);');
exec("grep -rlE 'loadXML|loadHTML|XMLReader|simplexml_load|xml_parser_create|new SoapClient|XSLTProcessor' src", $found);
sort($found);
same(['src/XmlFactory.php', 'src/bad.php'], $found, 'search');
