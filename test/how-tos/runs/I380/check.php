<?php
// Reads a PDF, passes names that a shell or the program would misread, and looks for a shell between the two.
require 'support/php.php';
is_executable('/usr/bin/pdftotext') || lacks('pdftotext');
published('block_1.php');

$folder = getcwd() . '/documents';
mkdir($folder);
$text = "BT /F1 24 Tf 20 100 Td (Hello merlon) Tj ET";
$objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    '<</Length ' . strlen($text) . ">>stream\n$text\nendstream",
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
];
$pdf = "%PDF-1.4\n";
$table = "0000000000 65535 f \n";
foreach ($objects as $index => $object) {
    $table .= sprintf("%010d 00000 n \n", strlen($pdf));
    $pdf .= ($index + 1) . " 0 obj\n$object\nendobj\n";
}
$start = strlen($pdf);
$pdf .= "xref\n0 6\n{$table}trailer<</Size 6/Root 1 0 R>>\nstartxref\n$start\n%%EOF\n";
file_put_contents("$folder/a.pdf", $pdf);

$reader = new App\Documents\PdfText($folder);
same('Hello merlon', trim($reader->read('a.pdf'), " \n\f"), 'text');
$bad = ['-a.pdf', 'a.pdf;id', '$(id).pdf', '../a.pdf', 'a b.pdf', "a.pdf\n", '', 'a`id`', 'a|id', str_repeat('a', 65)];
foreach ($bad as $name) {
    refused(InvalidArgumentException::class, fn () => $reader->read($name), "the name $name");
}
refused(RuntimeException::class, fn () => $reader->read('missing.pdf'), 'a missing file');

// With a program of the test: which process started it, with which arguments and variables?
putenv('APP_SECRET=secret');
$code = file_get_contents('block_1.php');
file_put_contents("$folder/tool", "#!/bin/sh\nenv; readlink /proc/\$PPID/exe; for a; do echo \"<\$a>\"; done\n");
chmod("$folder/tool", 0o700);
$other = static fn (string $program, string $class): string => str_replace(
    ['class PdfText', "'/usr/bin/pdftotext'"],
    ["class $class", "'$program'"],
    $code,
);
file_put_contents('tool.php', $other("$folder/tool", 'Tool'));
published('tool.php');
$output = (new App\Documents\Tool('/srv/$(id); `id`'))->read('a.pdf');
same(true, str_contains($output, '</srv/$(id); `id`/a.pdf>'), "unchanged argument in $output");
same(true, str_contains($output, realpath(PHP_BINARY) . "\n"), "no shell in $output");
same(false, str_contains($output, 'APP_SECRET'), "no secret in $output");

// It ends a program that writes without end.
file_put_contents("$folder/endless", "#!/bin/sh\nexec cat /dev/zero\n");
chmod("$folder/endless", 0o700);
file_put_contents('endless.php', $other("$folder/endless", 'Endless'));
published('endless.php');
$start = microtime(true);
refused(RuntimeException::class, fn () => (new App\Documents\Endless($folder))->read('a.pdf'), 'endless output');
same(true, microtime(true) - $start < 15, 'it ends before the time limit');

// The search of the how-to.
mkdir('src');
copy('block_1.php', 'src/PdfText.php');
$search = "grep -rnE '(^|[^A-Za-z_>:$])(exec|shell_exec|system|passthru|popen|pcntl_exec)\\s*\\(' src";
same('', (string) shell_exec($search), 'search');
file_put_contents('src/bad.php', "\$x = shell_exec('id');\n\$pdo->exec('SELECT 1');\n");
same(1, substr_count((string) shell_exec($search), "\n"), 'search with a bad sample');
