<?php
// Asks a folder for a file of its own, and for everything else.
require 'support/php.php';
published('block_1.php');
published('block_2.php');

use App\Files\Folder;
use App\Files\NoSuchFile;

mkdir('files');
mkdir('files/sub');
mkdir('files-other');
file_put_contents('files/a.txt', 'inside');
file_put_contents('a.txt', 'outside');
file_put_contents('files/.hidden', 'hidden');
file_put_contents('files-other/a.txt', 'other');
symlink(getcwd() . '/a.txt', 'files/link-out.txt');
symlink('a.txt', 'files/link-in.txt');
symlink(getcwd() . '/files-other', 'files/folder');
if (!posix_mkfifo('files/pipe', 0o600)) {
    lacks('posix_mkfifo');
}

$folder = new Folder('files');
same('inside', stream_get_contents($folder->open('a.txt')), 'file');
$bad = [
    '../a.txt', '../../etc/passwd', '..%2fa.txt', '%252e%252e/a', '..\\a', '/etc/passwd', 'C:\\x', '.hidden', '', '.', '..',
    "a.txt\0", "a.txt\0.png", "a.txt\n", str_repeat('a', 65), 'sub', 'sub/', 'pipe', 'link-out.txt', 'link-in.txt', 'folder',
    'folder/a.txt', '../files-other/a.txt', 'php://filter/resource=a.txt', 'missing.txt', 'a.txt/',
];
foreach ($bad as $name) {
    refused(NoSuchFile::class, fn () => $folder->open($name), json_encode($name));
}
// A file that becomes a link after it was opened once.
unlink('files/a.txt');
symlink(getcwd() . '/a.txt', 'files/a.txt');
refused(NoSuchFile::class, fn () => $folder->open('a.txt'), 'a replaced file');
refused(InvalidArgumentException::class, fn () => new Folder('missing'), 'a missing folder');
symlink('files-other', 'linked');
same('other', stream_get_contents((new Folder('linked'))->open('a.txt')), 'a base that is a link');
