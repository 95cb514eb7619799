<?php
// What the checks of how-tos in PHP share. A class that Debian does not have ends a check with status 77.

/** Loads a block of the how-to, which has no opening tag. */
function published(string $name): mixed
{
    $own = "$name." . getmypid() . '.php';
    file_put_contents($own, "<?php\n" . file_get_contents($name));
    return require $own;
}

/** Autoloaders of Debian's packages, such as `Symfony/Component/Process`. */
function packages(string ...$names): void
{
    foreach ($names as $name) {
        if (!is_file("/usr/share/php/$name/autoload.php")) {
            lacks($name);
        }
        require_once "/usr/share/php/$name/autoload.php";
    }
}

function extensions(string ...$names): void
{
    foreach ($names as $name) {
        if (!extension_loaded($name)) {
            lacks("the extension $name");
        }
    }
}

function lacks(string $what): never
{
    fwrite(STDERR, "$what is missing\n");
    exit(77);
}

function same(mixed $expected, mixed $actual, string $what): void
{
    if ($expected !== $actual) {
        fwrite(STDERR, "$what: " . var_export($actual, true) . ' instead of ' . var_export($expected, true) . "\n");
        exit(1);
    }
}

/** @param class-string<Throwable> $class */
function refused(string $class, Closure $call, string $what): void
{
    try {
        $call();
    } catch (Throwable $error) {
        same(true, $error instanceof $class, "$what (" . $error::class . ': ' . $error->getMessage() . ')');
        return;
    }
    same('refused', 'accepted', $what);
}
