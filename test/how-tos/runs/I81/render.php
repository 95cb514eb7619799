<?php

use Symfony\Bundle\FrameworkBundle\FrameworkBundle;
use Symfony\Bundle\FrameworkBundle\Kernel\MicroKernelTrait;
use Symfony\Bundle\TwigBundle\TwigBundle;
use Symfony\Component\DependencyInjection\Loader\Configurator\ContainerConfigurator;
use Symfony\Component\HttpKernel\Kernel;

require '/usr/share/php/Composer/InstalledVersions.php';
foreach (['Bundle/FrameworkBundle', 'Bundle/TwigBundle', 'Component/HtmlSanitizer', 'Component/Yaml'] as $part) {
    require_once "/usr/share/php/Symfony/$part/autoload.php";
}
require 'block_2.php';

final class TestKernel extends Kernel
{
    use MicroKernelTrait;

    public function registerBundles(): iterable
    {
        return [new FrameworkBundle(), new TwigBundle()];
    }

    public function getProjectDir(): string
    {
        return __DIR__;
    }

    protected function configureContainer(ContainerConfigurator $container): void
    {
        $container->import(__DIR__ . '/config/packages/html_sanitizer.yaml');
        $container->extension('framework', ['secret' => 'x', 'http_method_override' => false]);
        $container->extension('twig', ['default_path' => __DIR__ . '/templates']);
        $container->services()->set(App\Twig\SafeUrlExtension::class)->tag('twig.extension');
        $container->services()->alias('test.twig', 'twig')->public();
    }
}

$kernel = new TestKernel('test', false);
$kernel->boot();
$twig = $kernel->getContainer()->get('test.twig');

/** The elements of the page as a browser reads it. */
function page(array $values): DOMDocument
{
    global $twig;
    $html = $twig->render('product.html.twig', $values + [
        'product' => ['name' => 'Name', 'homepage' => 'https://example.com/', 'category' => 'books'],
        'chart' => ['title' => 'Sales'],
        'comment' => ['html' => '<p>Fine</p>'],
    ]);
    $document = new DOMDocument();
    @$document->loadHTML("<meta charset=utf-8><body>$html</body>");
    return $document;
}

function check(DOMDocument $document, string $name): void
{
    foreach ($document->getElementsByTagName('*') as $element) {
        $known = ['html', 'head', 'meta', 'body', 'a', 'td', 'div', 'p', 'br', 'strong', 'em', 'ul', 'ol', 'li'];
        assert(in_array($element->nodeName, $known, true), "$name: $element->nodeName");
        foreach ($element->attributes as $attribute) {
            assert(!str_starts_with($attribute->nodeName, 'on') && $attribute->nodeName !== 'style', $name);
            $isLink = $attribute->nodeName === 'href';
            assert(!$isLink || preg_match('~^(https?://|mailto:|#$)~i', $attribute->nodeValue) === 1, $name);
        }
    }
}

$hostile = [
    '"><img src=x onerror=alert(1)>', '</script><script>alert(1)</script>', "' onclick='alert(1)", 'x onmouseover=alert(1)',
    'x/onmouseover=alert(1)', "x\nonclick=alert(1)", '<svg/onload=alert(1)>', '&quot; onclick=alert(1)', 'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>', "java\nscript:alert(1)", " javascript:alert(1)",
    'javascript:alert(1)//https://example.com', 'https://example.com/ onclick=alert(1)', "https://example.com\njavascript:x",
];
foreach ($hostile as $text) {
    $document = page([
        'product' => ['name' => $text, 'homepage' => $text, 'category' => $text],
        'chart' => ['title' => $text],
        'comment' => ['html' => $text],
    ]);
    check($document, $text);
    $link = $document->getElementsByTagName('a')[0];
    assert(str_replace("\n", ' ', $link->textContent) === str_replace("\n", ' ', $text), $link->textContent);
    assert($link->getAttribute('title') === $text);
    assert($link->getAttribute('href') === '#', $link->getAttribute('href'));
    assert($document->getElementsByTagName('td')[0]->attributes->length === 1, $text);
    $chart = json_decode($document->getElementById('chart')->getAttribute('data-chart'), true);
    assert($chart === ['title' => $text]);
}
foreach (['https://example.com/', 'http://example.com/?a=b&c=d', 'mailto:a@example.com'] as $address) {
    $document = page(['product' => ['name' => 'Name', 'homepage' => $address, 'category' => 'books']]);
    assert($document->getElementsByTagName('a')[0]->getAttribute('href') === $address);
}

$comments = [
    '<p>Some <strong>bold</strong> text</p><ul><li>one</li></ul>' => ['strong', 'li'],
    '<a href="https://example.com/" onclick="alert(1)" style="color:red">x</a>' => ['a'],
    '<a href="javascript:alert(1)">x</a>' => [],
    '<a href="java&#10;script:alert(1)">x</a>' => [],
    '<script>alert(1)</script><style>p{}</style><iframe src="https://evil.example"></iframe><p>x</p>' => ['p'],
    '<math><mtext></p><style><img src=x onerror=alert(1)></style></mtext></math>' => [],
    '<form action="https://evil.example"><input name="a"></form>' => [],
];
foreach ($comments as $html => $elements) {
    $document = page(['comment' => ['html' => $html]]);
    check($document, $html);
    foreach ($elements as $element) {
        assert($document->getElementsByTagName($element)->length > 0, "$html lost $element");
    }
    foreach ($document->getElementsByTagName('a') as $n => $link) {
        assert($n === 0 || $link->getAttribute('rel') === 'noopener noreferrer nofollow', $html);
    }
}
