<?php
// Unpacks archives that PHP's own class or a hand wrote.
require 'support/php.php';
extensions('zip');
published('block_1.php');

use App\Import\ZipImport;

mkdir('import');
mkdir('import-2');
umask(0);

/** @param list<array{string, string, int}> $entries name, content and Unix mode */
function archive(array $entries): string
{
    $path = tempnam('.', 'zip');
    $zip = new ZipArchive();
    $zip->open($path, ZipArchive::OVERWRITE);
    foreach ($entries as $index => [$name, $content, $mode]) {
        // Placeholders of the same length, since the class itself replaces entries with the same name.
        $unique = substr(str_pad("e$index", strlen($name), 'e'), 0, strlen($name));
        $zip->addFromString($unique, $content);
        $zip->setExternalAttributesName($unique, ZipArchive::OPSYS_UNIX, $mode << 16);
    }
    $zip->close();
    $bytes = file_get_contents($path);
    foreach ($entries as $index => [$name]) {
        $unique = substr(str_pad("e$index", strlen($name), 'e'), 0, strlen($name));
        $bytes = str_replace($unique, $name, $bytes, $count);
        same(2, $count, "names of entry $index");
    }
    file_put_contents($path, $bytes);
    return $path;
}

$file = 0o100777;
$good = archive([['text.txt', 'one', $file], ['folder/', '', 0o040777], ['folder/more text.txt', 'two', 0o100644]]);
$folder = ZipImport::unpack($good, 'import');
same('one', file_get_contents("$folder/text.txt"), 'file');
same('two', file_get_contents("$folder/folder/more text.txt"), 'file in a folder');
same('640', decoct(fileperms("$folder/text.txt") & 0o777), 'mode of a file');
same('750', decoct(fileperms("$folder/folder") & 0o777), 'mode of a folder');
same(1, preg_match('#\A' . getcwd() . '/import/[0-9a-f]{32}\z#', $folder), 'folder');

$state = static fn (): array => [glob('*'), glob('import-2/*'), glob('/tmp/merlon-*')];
$bad = [
    'parent' => [['../import-2/x', 'x', $file]],
    'parent inside' => [['aa/../../import-2/x', 'x', $file]],
    'backslash' => [['..\\x.txt', 'x', $file]],
    'drive' => [['C:\\x.txt', 'x', $file]],
    'drive with slash' => [['C:/x.txt', 'x', $file]],
    'absolute' => [['/tmp/merlon-x', 'x', $file]],
    'twice' => [['a1.txt', 'x', $file], ['a1.txt', 'y', $file]],
    'case' => [['Aa.txt', 'x', $file], ['aa.txt', 'y', $file]],
    'file, then folder' => [['name', 'x', $file], ['name/', '', 0o040755]],
    'device' => [['device', '', 0o020666]],
    'pipe' => [['pipe.txt', '', 0o010666]],
    'link' => [['link.txt', '/etc/passwd', 0o120777]],
    'through a link' => [['link1', '../../import-2', 0o120777], ['link1/file', 'x', $file]],
    'hidden' => [['.htaccess', 'x', $file]],
    'newline' => [["text.txt\n", 'x', $file]],
];
foreach ($bad as $what => $entries) {
    $path = archive($entries);
    $before = $state();
    refused(UnexpectedValueException::class, fn () => ZipImport::unpack($path, 'import'), $what);
    same($before, $state(), "around the folder: $what");
    foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator('import')) as $item) {
        same(false, is_link((string) $item), "a link: $what");
    }
}
$half = str_repeat('a', 25_000_000);
$path = archive([['half1', $half, $file], ['half2', $half, $file]]);
same(25_000_000, filesize(ZipImport::unpack($path, 'import') . '/half2'), 'as large as allowed');
$path = archive([['half1', $half, $file], ['half2', "{$half}a", $file]]);
refused(UnexpectedValueException::class, fn () => ZipImport::unpack($path, 'import'), 'too large');
