<?php
// Renders texts that people write, and texts that attackers write.
require 'support/php.php';
packages('League/CommonMark', 'Symfony/Component/HtmlSanitizer');
published('block_1.php');

$text = new App\Text\RichText();
$html = $text->toHtml("## Title\n\n*em* **strong** `<b>`\n\n- one\n\n> quoted\n\n[a](https://a.example/?x=1&y) [m](mailto:a@a.example)");
foreach (['<h2>Title</h2>', '<em>em</em>', '<strong>strong</strong>', '<code>&lt;b&gt;</code>', '<li>one</li>', '<blockquote>',
    'href="https://a.example/?x&#61;1&amp;y"', 'rel="noopener noreferrer nofollow"'] as $part) {
    same(true, str_contains($html, $part), "$part in $html");
}
same(1, preg_match('#href="mailto:a(@|&\#64;)a\.example"#', $html), "mailto in $html");

$attacks = [
    '<script>alert(1)</script>', '<img src=x onerror=alert(1)>', '<svg onload=alert(1)>', '<form id=x><input name=y></form>',
    '[x](javascript:alert(1))', '[x](JaVaScRiPt:alert(1))', '[x](data:text/html;base64,PHN2Zz4=)', '[x](//evil.example)',
    '![x](https://tracker.example/a.png)', '<https://a.example/" onclick="x>', '<a href="jAvAsCrIpT:x">x</a>',
    '[x](tel:+49301)', '[x](ftp://a.example/x)',
    '[x](java&#10;script:alert(1))', '[x](&#x6A;avascript:alert(1))',
    '<math><mtext><style><img src=x onerror=alert(1)></style></mtext></math>',
    "<div style='position:fixed'>x</div>", '[x](vbscript:x "onmouseover=alert(1)")', '# h1', '`<script>`', '<iframe src=x></iframe>',
];
$allowed = ['p', 'br', 'strong', 'em', 'code', 'pre', 'blockquote', 'ul', 'ol', 'li', 'h2', 'h3', 'a', 'html', 'body'];
$inspect = static function (string $html) use ($allowed): void {
    $document = new DOMDocument();
    @$document->loadHTML("<html><body>$html</body></html>");
    foreach ($document->getElementsByTagName('*') as $element) {
        same(true, in_array($element->tagName, $allowed, true), "<$element->tagName> in $html");
        foreach ($element->attributes as $attribute) {
            same(true, in_array($attribute->name, ['href', 'rel'], true), "$attribute->name in $html");
            $link = $attribute->name === 'rel' || preg_match('#^(https?|mailto):|^//#', $attribute->value) === 1;
            same(true, $link, "$attribute->value in $html");
        }
    }
};
foreach ($attacks as $attack) {
    $inspect($text->toHtml($attack));
    $inspect($text->toHtml("before $attack after"));
}
$sanitizer = (new ReflectionProperty($text, 'sanitizer'))->getValue($text);
same('<p>y</p>', $sanitizer->sanitize('<b onclick="x">text</b><p onclick="x">y</p>'), 'the sanitizer alone');

$start = microtime(true);
foreach (['>', '[', '*a ', '- ', '<'] as $part) {
    $html = $text->toHtml(str_repeat($part, intdiv(20_000, strlen($part))));
    $inspect($html);
    same(true, substr_count($html, '<blockquote>') <= 20, 'levels of quotations');
}
same(true, microtime(true) - $start < 60, 'time');
$long = str_repeat('word ', 4000);
same(true, str_ends_with(trim(strip_tags($text->toHtml($long))), 'word') && substr_count($text->toHtml($long), 'word') === 4000, 'long text');
same(20_000, substr_count(html_entity_decode($text->toHtml(str_repeat('"', 20_000))), '"'), 'entities are not cut off');
refused(LengthException::class, fn () => $text->toHtml(str_repeat('a', 20_001)), 'too long');
