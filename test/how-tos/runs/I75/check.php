<?php
// Requests own orders and those of another customer from Laravel 10, the version that Debian has.
require 'support/php.php';
packages('Illuminate');
extensions('pdo_sqlite');
require 'application.php';
published('block_2.php');
published('block_3.php');

use App\Models\User;
use Illuminate\Config\Repository;
use Illuminate\Contracts\Debug\ExceptionHandler;
use Illuminate\Foundation\Application;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Auth;
use Illuminate\Support\Facades\DB;
use Illuminate\Support\Facades\Facade;
use Illuminate\Support\Facades\Route;
use Symfony\Component\HttpFoundation\Response;

touch('check.sqlite');
$application = new Application(getcwd());
Facade::setFacadeApplication($application);
$application->instance('config', new Repository([
    'app' => ['debug' => false, 'locale' => 'en', 'fallback_locale' => 'en'],
    'auth' => ['defaults' => ['guard' => 'web'], 'guards' => ['web' => ['driver' => 'header']]],
    'database' => ['default' => 'one', 'connections' => ['one' => ['driver' => 'sqlite', 'database' => 'check.sqlite', 'prefix' => '']]],
    'view' => ['paths' => [], 'compiled' => getcwd()],
]));
$application->singleton(ExceptionHandler::class, Illuminate\Foundation\Exceptions\Handler::class);
foreach (['Filesystem\Filesystem', 'Database\Database', 'View\View', 'Translation\Translation', 'Validation\Validation', 'Auth\Auth',
    'Foundation\Providers\Foundation'] as $name) {
    $application->register("Illuminate\\{$name}ServiceProvider");
}
Auth::viaRequest('header', static fn (Request $request): ?User => User::find((int) $request->header('X-User')));
$kernel = $application->make(Kernel::class);
$application->boot();

// The stand-in for the builder of Laravel 11.
$text = file_get_contents('bootstrap/app.php');
$changed = str_replace('use Illuminate\Foundation\Application;', 'use Illuminate\Foundation\Configuration\Application;', $text, $count);
same(1, $count, 'the builder');
file_put_contents('bootstrap/app.php', $changed);
published('bootstrap/app.php');

DB::unprepared('CREATE TABLE customers (id INTEGER PRIMARY KEY); CREATE TABLE users (id INTEGER PRIMARY KEY, customer_id INTEGER);
    CREATE TABLE addresses (id INTEGER PRIMARY KEY, customer_id INTEGER);
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, title TEXT, address_id INTEGER);
    INSERT INTO customers VALUES (1), (2); INSERT INTO users VALUES (11, 1), (12, 2); INSERT INTO addresses VALUES (21, 1), (22, 2), (23, 1);
    INSERT INTO orders VALUES (31, 1, "own", 21), (32, 2, "theirs", 22)');

$call = static function (string $method, string $path, array $fields = [], ?int $user = 11, bool $json = true) use ($application, $kernel): Response {
    $application->make('auth')->forgetGuards();
    $request = Request::create("https://app.example.com$path", $method, server: ['CONTENT_TYPE' => 'application/json'], content: json_encode($fields));
    $request->headers->set('Accept', $json ? 'application/json' : 'text/html');
    $request->headers->set('X-User', (string) $user);
    return $kernel->handle($request);
};
$status = static fn (mixed ...$arguments): int => $call(...$arguments)->getStatusCode();
$row = static fn (int $id): array => (array) DB::table('orders')->find($id);

$own = '/customers/1/orders/31';
same('{"id":31,"title":"own","address_id":21}', $call('GET', $own)->getContent(), 'own order');
same(204, $status('PUT', $own, ['address_id' => 23, 'customer_id' => 2, 'title' => 'x']), 'own PUT');
same(['id' => 31, 'customer_id' => 1, 'title' => 'own', 'address_id' => 23], $row(31), 'own row');
foreach ([22, 99, 'x', null] as $address) {
    same(422, $status('PUT', $own, ['address_id' => $address]), 'address ' . json_encode($address));
}
same(422, $status('PUT', $own), 'no address');
same(23, $row(31)['address_id'], 'own row after refusals');
foreach (['DELETE', 'PATCH', 'POST'] as $method) {
    same(405, $status($method, $own), $method);
    same(405, $status($method, '/customers/2/orders/32'), $method);
}
same(401, $status('GET', $own, user: null), 'no user');
same(200, $status('GET', '/customers/2/orders/32', user: 12), 'their own order');

$theirs = $row(32);
foreach ([false, true] as $debug) {
    $application['config']->set('app.debug', $debug);
    $missing = $call('GET', '/customers/1/orders/99');
    same([404, '{"message":"Not found."}'], [$missing->getStatusCode(), $missing->getContent()], 'missing order');
    // Theirs, theirs through the own customer, the own order through theirs, and one without a customer.
    foreach (['/customers/2/orders/32', '/customers/1/orders/32', '/customers/2/orders/31', '/customers/9/orders/31', '/customers/2/orders/99'] as $path) {
        foreach (['GET', 'HEAD', 'PUT'] as $method) {
            $answer = $call($method, $path, $method === 'PUT' ? ['address_id' => 21] : []);
            same(404, $answer->getStatusCode(), "$method $path");
            if ($method !== 'HEAD') {
                same($missing->getContent(), $answer->getContent(), "$method $path");
            }
        }
    }
}
$application['config']->set('app.debug', false);
same(404, $status('GET', '/customers/2/orders/32', json: false), 'HTML');
same($theirs, $row(32), 'their row');
same(23, $row(31)['address_id'], 'own row at the end');

$open = static function (): array {
    $found = [];
    foreach (Route::getRoutes() as $route) {
        $middleware = $route->gatherMiddleware();
        if (!in_array('auth', $middleware, true) || !preg_grep('/^can:/', $middleware)) {
            $found[] = $route->uri();
        }
    }
    return $found;
};
same([], $open(), 'open routes');
Route::get('/forgotten', static fn (): string => 'x')->middleware('auth');
Route::get('/forgotten-too', static fn (): string => 'x')->can('view', 'order');
same(['forgotten', 'forgotten-too'], $open(), 'open routes that were added');
