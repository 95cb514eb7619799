<?php
// Sends requests through Laravel's session middleware with the published configuration.
require 'support/php.php';
packages('Illuminate');

use Illuminate\Config\Repository;
use Illuminate\Cookie\Middleware\EncryptCookies;
use Illuminate\Encryption\Encrypter;
use Illuminate\Foundation\Application;
use Illuminate\Http\Request;
use Illuminate\Session\Middleware\StartSession;
use Illuminate\Session\SessionManager;
use Symfony\Component\HttpFoundation\Response;

foreach (['SESSION_SECURE_COOKIE=false', 'SESSION_HTTP_ONLY=false', 'SESSION_DOMAIN=example.com', 'SESSION_DRIVER=file'] as $line) {
    putenv($line);
    $_ENV[strtok($line, '=')] = substr($line, strpos($line, '=') + 1);
}
$application = new Application(getcwd());
mkdir('storage/framework/sessions', recursive: true);
$application->instance('files', new Illuminate\Filesystem\Filesystem());
$application->instance('config', new Repository(['session' => published('config/session.php')]));
$encrypter = new Encrypter(random_bytes(32), 'aes-256-cbc');

/** A request over plain HTTP, as behind a proxy that ends TLS. */
$call = static function (array $cookies, Closure $handler, string $method = 'GET') use ($application, $encrypter): Response {
    $manager = new SessionManager($application);
    $request = Request::create('http://app.example.com/', $method, cookies: $cookies);
    $start = new StartSession($manager);
    return (new EncryptCookies($encrypter))->handle($request, static fn ($request) => $start->handle($request, $handler));
};
$cookies = static function (Response $response): array {
    $found = $response->headers->getCookies();
    same(1, count($found), 'cookies');
    same('__Host-session', $found[0]->getName(), 'name');
    same([true, true, 'lax', '/', null, 0], [$found[0]->isSecure(), $found[0]->isHttpOnly(), $found[0]->getSameSite(),
        $found[0]->getPath(), $found[0]->getDomain(), $found[0]->getExpiresTime()], 'attributes');
    $line = $response->headers->all('set-cookie')[0];
    same(1, preg_match('/^__Host-session=[^;]+; path=\/; secure; httponly; samesite=lax$/', $line), $line);
    return [$found[0]->getName() => $found[0]->getValue()];
};

$ids = [];
$store = static function (Request $request) use (&$ids): Response {
    $request->session()->regenerate();
    $request->session()->put('user', 'ann');
    $ids[] = $request->session()->getId();
    return new Response('signed in');
};
$user = static fn (Request $request): Response => new Response((string) $request->session()->get('user', 'nobody'));
for ($n = 0; $n < 20; $n++) {
    $jar = $cookies($call([], $store, 'POST'));
    same(false, str_contains(json_encode($jar), 'ann'), 'no readable content');
}
same(20, count(array_unique($ids)), 'ids');
foreach ($ids as $id) {
    same(1, preg_match('/^[A-Za-z0-9]{40}$/', $id), $id);
}
same('ann', $call($jar, $user)->getContent(), 'the next request');
same('nobody', $call([], $user)->getContent(), 'no cookie');
same('nobody', $call(['__Host-session' => end($ids)], $user)->getContent(), 'an id that is not encrypted');
$cookies($call($jar, static fn (): Response => new Response('error', 500)));
$out = $call($jar, static function (Request $request): Response {
    $request->session()->invalidate();
    return new Response('signed out');
}, 'POST');
same('nobody', $call($cookies($out), $user)->getContent(), 'after the sign-out');
same('nobody', $call($jar, $user)->getContent(), 'the old cookie after the sign-out');

$jar = $cookies($call([], $store, 'POST'));
same('ann', $call($jar, $user)->getContent(), 'a fresh session');
foreach (glob('storage/framework/sessions/*') as $file) {
    touch($file, time() - 31 * 60);
}
same('nobody', $call($jar, $user)->getContent(), 'after 31 minutes');
