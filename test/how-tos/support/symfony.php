<?php
// A Symfony application of the blocks below `src` and `config/packages`, with Debian's packages.
require_once 'support/php.php';
packages('Symfony/Bundle/FrameworkBundle', 'Symfony/Component/Yaml', 'Symfony/Component/Serializer', 'Symfony/Component/Validator',
    'Symfony/Component/PropertyInfo', 'Symfony/Component/PropertyAccess', 'Symfony/Component/Security/Csrf');

is_file('/usr/share/php/Composer/InstalledVersions.php') || lacks('composer');
require_once '/usr/share/php/Composer/InstalledVersions.php';

use Symfony\Bundle\FrameworkBundle\FrameworkBundle;
use Symfony\Bundle\FrameworkBundle\Kernel\MicroKernelTrait;
use Symfony\Component\DependencyInjection\Loader\Configurator\ContainerConfigurator;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpKernel\Kernel;
use Symfony\Component\Routing\Loader\Configurator\RoutingConfigurator;

foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator('src', FilesystemIterator::SKIP_DOTS)) as $file) {
    $source = file_get_contents((string) $file);
    if (!str_starts_with($source, '<?php')) {
        file_put_contents((string) $file, "<?php\n$source");
    }
}
spl_autoload_register(static function (string $class): void {
    $file = 'src/' . str_replace('\\', '/', substr($class, 4)) . '.php';
    if (str_starts_with($class, 'App\\') && is_file($file)) {
        require $file;
    }
});

class Application extends Kernel
{
    use MicroKernelTrait;

    public function __construct()
    {
        parent::__construct('prod', false);
    }

    public function registerBundles(): iterable
    {
        return [new FrameworkBundle()];
    }

    public function getProjectDir(): string
    {
        return getcwd();
    }

    protected function configureContainer(ContainerConfigurator $container): void
    {
        $container->import(getcwd() . '/config/packages/*.yaml');
        $container->extension('framework', [
            'secret' => 'of the check',
            'handle_all_throwables' => true,
            'php_errors' => ['log' => false],
            'session' => ['storage_factory_id' => 'session.storage.factory.mock_file', 'name' => 'session'],
        ]);
        $container->services()->set('logger', Psr\Log\NullLogger::class);
        $services = $container->services()->defaults()->autowire()->autoconfigure()->public();
        $services->load('App\\', getcwd() . '/src/')->exclude([getcwd() . '/src/Entity', getcwd() . '/src/Api']);
    }

    protected function configureRoutes(RoutingConfigurator $routes): void
    {
        $routes->import(getcwd() . '/src/Controller/', 'attribute');
    }

    /** @param array<string, string> $headers */
    public function call(string $method, string $path, array $headers = [], array $fields = [], array $cookies = [], ?string $body = null): Response
    {
        $request = Request::create($path, $method, $fields, $cookies, content: $body);
        $request->headers->add($headers);
        $response = $this->handle($request);
        $this->terminate($request, $response);
        return $response;
    }
}
