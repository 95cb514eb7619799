<?php
// Requests routes with and without a permission from Laravel's router.
require 'support/php.php';
packages('Illuminate');
require 'application.php';
published('block_1.php');
published('app/Providers/AppServiceProvider.php');

use App\Listeners\RequireDeclaredPermission;
use App\Models\User;
use Illuminate\Auth\Access\AuthorizationException;
use Illuminate\Auth\Access\Gate;
use Illuminate\Auth\Middleware\Authorize;
use Illuminate\Foundation\Application;
use Illuminate\Http\Request;
use Illuminate\Routing\Router;
use Illuminate\Support\Facades\Facade;
use Illuminate\Support\Facades\Route;
use Symfony\Component\HttpKernel\Exception\HttpExceptionInterface;

$application = new Application(getcwd());
Facade::setFacadeApplication($application);
$user = null;
$gate = new Gate($application, static function () use (&$user): ?User {
    return $user;
});
$application->instance(\Illuminate\Contracts\Auth\Access\Gate::class, $gate);
$router = $application->make(Router::class);
$application->instance('router', $router);
$application->instance(\Illuminate\Contracts\Routing\Registrar::class, $router);
$router->aliasMiddleware('can', Authorize::class);
(new App\Providers\AppServiceProvider($application))->boot();
published('routes/web.php');
Route::get('/forgotten', static fn (): string => 'forgotten');
Route::get('/auth-only', static fn (): string => 'x')->name('auth-only')->middleware('auth');
Route::get('/undefined', static fn (): string => 'undefined')->can('invoices.export');
Route::get('/class', static fn (): string => 'class')->middleware(Authorize::using('invoices.list'));
$router->getRoutes()->refreshNameLookups();

$status = static function (string $path, string $method = 'GET') use ($router): int {
    try {
        return $router->dispatch(Request::create($path, $method))->getStatusCode();
    } catch (AuthorizationException) {
        return 403;
    } catch (HttpExceptionInterface $error) {
        return $error->getStatusCode();
    }
};
$reader = new User(['id' => 1, 'permissions' => ['invoices.list']]);
$administrator = new User(['id' => 2, 'permissions' => ['invoices.list', 'invoices.export', 'admin']]);
$other = new User(['id' => 3, 'permissions' => ['orders.list']]);
foreach (['reader' => [$reader, 200], 'administrator' => [$administrator, 200], 'other' => [$other, 403], 'none' => [null, 403]] as $who => $case) {
    [$user, $expected] = $case;
    foreach (['/invoices', '/invoices/', '/%69nvoices', '/class'] as $path) {
        same($expected, $status($path), "$who $path");
    }
    same($expected, $status('/invoices', 'HEAD'), "$who HEAD");
    same(405, $status('/invoices', 'POST'), "$who POST");
    same(200, $status('/healthz'), "$who /healthz");
    foreach (['/forgotten', '/auth-only', '/undefined'] as $path) {
        same(403, $status($path), "$who $path");
    }
}
$undeclared = [];
foreach ($router->getRoutes() as $route) {
    if (!RequireDeclaredPermission::declares($route)) {
        $undeclared[] = $route->uri();
    }
}
same(['forgotten', 'auth-only'], $undeclared, 'routes without a permission');

mkdir('other');
file_put_contents('other/Bad.php', "if (\$user->hasRole('admin')) {}\nif (\$user->role === 'admin') {}\nif (\$user->can('x')) {}\n");
same(2, substr_count(shell_exec('grep -rnE "hasRole|->role ?===?" other'), "\n"), 'search');
same(null, shell_exec('grep -rnE "hasRole|->role ?===?" app'), 'search in the code of the how-to');
