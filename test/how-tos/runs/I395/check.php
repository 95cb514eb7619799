<?php
// Compiles the template with Blade, and looks at what a browser would make of it.
require 'support/php.php';
packages('Illuminate');
published('block_2.php');

use Illuminate\Events\Dispatcher;
use Illuminate\Filesystem\Filesystem;
use Illuminate\View\Compilers\BladeCompiler;
use Illuminate\View\Engines\CompilerEngine;
use Illuminate\View\Engines\EngineResolver;
use Illuminate\View\Factory;
use Illuminate\View\FileViewFinder;

mkdir('cache');
mkdir('resources/views', recursive: true);
mkdir('app');
mkdir('routes');
copy('block_1.html', 'resources/views/product.blade.php');
copy('block_2.php', 'app/SafeUrl.php');
$files = new Filesystem();
$resolver = new EngineResolver();
$resolver->register('blade', fn () => new CompilerEngine(new BladeCompiler($files, 'cache'), $files));
$views = new Factory($resolver, new FileViewFinder($files, ['resources/views']), new Dispatcher());

$texts = ['"><img src=x onerror=alert(1)>', "' onmouseover='alert(1)", '</script><script>alert(1)</script>', '{{ 7*7 }}',
    'javascript:alert(1)', 'a & b', '&quot; onclick=x', '${7*7}', "x\u{2028}y", '<?php echo 7*7 ?>', '@php echo 7*7; @endphp'];
foreach ($texts as $text) {
    $product = ['name' => $text, 'homepage' => 'https://example.com/?a=1&b=2', 'category' => $text, 'description' => $text];
    $chart = ['title' => $text, 'values' => [1, 2]];
    $html = $views->make('product', compact('product', 'chart'))->render();
    $document = new DOMDocument();
    $document->loadHTML("<?xml encoding=\"UTF-8\"><html><body>$html</body></html>");
    $found = [];
    foreach ($document->getElementsByTagName('body')->item(0)->getElementsByTagName('*') as $element) {
        foreach ($element->attributes as $attribute) {
            $found[] = "$element->tagName $attribute->name=$attribute->value";
        }
        $found[] = "$element->tagName: $element->textContent";
    }
    same([
        "a title=$text", 'a href=https://example.com/?a=1&b=2', "a: $text",
        "p class=$text", "p: $text", 'div id=chart', 'div data-chart=' . json_encode($chart), 'div: ',
    ], $found, $html);
}

$bad = ['javascript:alert(1)', "java\nscript:alert(1)", ' javascript:x', 'JAVASCRIPT:x', 'data:text/html,x', '//evil.example', '', null,
    "https://a.example/\njavascript:x", "https://a.example\n", 'vbscript:x', 'https:\\\\evil.example', 'https:/evil.example', "\x01javascript:x"];
foreach ($bad as $url) {
    same('#', App\View\SafeUrl::from($url), json_encode($url));
}
foreach (['https://example.com/?a=1&b=2', 'HTTP://example.com', 'mailto:a@example.com'] as $url) {
    same($url, App\View\SafeUrl::from($url), $url);
}

$script = static function (): int {
    exec('bash tests/raw-output.sh', $output, $status);
    return $status;
};
same(0, $script(), 'script');
foreach (['{!! $x !!}', '<p class={{ $x }}>', '@php echo $x; @endphp', '<?= $x ?>'] as $sample) {
    file_put_contents('resources/views/bad.blade.php', "$sample\n");
    same(1, $script(), "script with $sample");
}
unlink('resources/views/bad.blade.php');
file_put_contents('app/Bad.php', 'return new HtmlString($x);');
same(1, $script(), 'script with HtmlString');
