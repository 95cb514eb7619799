<?php
// The application of the check: PHP's own server calls this file for each request.
foreach (['src/Controller', 'src/EventSubscriber', 'config/packages'] as $folder) {
    is_dir($folder) || mkdir($folder, recursive: true);
}
is_file('src/EventSubscriber/IdleTimeout.php') || copy('block_2.php', 'src/EventSubscriber/IdleTimeout.php');
file_put_contents('src/Controller/Pages.php', <<<'PHP'
    <?php
    namespace App\Controller;

    use Symfony\Component\HttpFoundation\Request;
    use Symfony\Component\HttpFoundation\Response;
    use Symfony\Component\Routing\Attribute\Route;
    use Symfony\Component\Security\Core\User\UserInterface;
    use Symfony\Component\Security\Http\Attribute\CurrentUser;

    final class Pages
    {
        #[Route('/sign-in', name: 'sign_in')]
        public function signIn(Request $request): Response
        {
            $request->getSession()->set('visited', true);
            return new Response('sign in');
        }

        #[Route('/account')]
        public function account(#[CurrentUser] UserInterface $user): Response
        {
            return new Response($user->getUserIdentifier());
        }

        #[Route('/error')]
        public function error(Request $request): Response
        {
            $request->getSession()->set('visited', true);
            throw new \RuntimeException('of the check');
        }

        #[Route('/sign-out', name: 'sign_out')]
        public function signOut(): Response
        {
            throw new \LogicException('The firewall answers.');
        }
    }
    PHP);
require 'support/symfony.php';
packages('Symfony/Bundle/SecurityBundle');

use Symfony\Bundle\FrameworkBundle\FrameworkBundle;
use Symfony\Bundle\SecurityBundle\SecurityBundle;
use Symfony\Component\DependencyInjection\Loader\Configurator\ContainerConfigurator;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\Security\Core\User\InMemoryUser;

final class Site extends Application
{
    public function registerBundles(): iterable
    {
        return [new FrameworkBundle(), new SecurityBundle()];
    }

    protected function configureContainer(ContainerConfigurator $container): void
    {
        parent::configureContainer($container);
        $container->extension('framework', ['session' => ['storage_factory_id' => 'session.storage.factory.native']]);
        $container->import(getcwd() . '/block_1.yaml');
        $container->extension('security', [
            'password_hashers' => [InMemoryUser::class => 'plaintext'],
            'providers' => ['users' => ['memory' => ['users' => ['ann' => ['password' => 'x', 'roles' => ['ROLE_USER']]]]]],
            'firewalls' => ['main' => [
                'form_login' => ['login_path' => 'sign_in', 'check_path' => 'sign_in', 'default_target_path' => '/account'],
                'logout' => ['path' => 'sign_out', 'target' => '/sign-in'],
            ]],
            'access_control' => [['path' => '^/(sign-in|error)$', 'roles' => 'PUBLIC_ACCESS'], ['path' => '^/', 'roles' => 'ROLE_USER']],
        ]);
    }
}

$site = new Site();
if (PHP_SAPI === 'cli') {
    $site->boot();
    return;
}
$request = Request::createFromGlobals();
$response = $site->handle($request);
$response->send();
$site->terminate($request, $response);
