<?php
// Requests an order as its customer, as others and without a session, and adds a controller that declares nothing.
$without = $argv[1] ?? '';
foreach (['Controller', 'Entity', 'Security'] as $folder) {
    @mkdir("src/$folder", recursive: true);
}
is_dir('config/packages') || mkdir('config/packages', recursive: true);
copy('block_4.yaml', 'config/packages/security.yaml');
copy('block_1.php', 'src/Security/RequireDeclaredPermission.php');
copy('block_2.php', 'src/Security/OrderVoter.php');
copy('block_3.php', 'src/Controller/OrderController.php');
if ($without === 'voter') {
    unlink('src/Security/OrderVoter.php');
}
file_put_contents('src/Entity/User.php', <<<'PHP'
    <?php
    namespace App\Entity;

    use Symfony\Component\Security\Core\User\PasswordAuthenticatedUserInterface;
    use Symfony\Component\Security\Core\User\UserInterface;

    final class User implements UserInterface, PasswordAuthenticatedUserInterface
    {
        public function __construct(private string $name)
        {
        }

        public function getCustomer(): string
        {
            return $this->name;
        }

        public function getRoles(): array
        {
            return $this->name === 'admin' ? ['ROLE_ADMIN', 'ROLE_USER'] : ['ROLE_USER'];
        }

        public function eraseCredentials(): void
        {
        }

        public function getUserIdentifier(): string
        {
            return $this->name;
        }

        public function getPassword(): string
        {
            return 'x';
        }
    }
    PHP);
file_put_contents('src/Entity/Order.php', <<<'PHP'
    <?php
    namespace App\Entity;

    final class Order
    {
        public function __construct(private int $id)
        {
        }

        public function getId(): int
        {
            return $this->id;
        }

        public function getTitle(): string
        {
            return "Tea $this->id";
        }

        public function getCustomer(): string
        {
            return $this->id === 1 ? 'ann' : 'bob';
        }
    }
    PHP);
// Stands for Doctrine, which loads the order by the id of the route and answers 404 if there is none.
file_put_contents('src/Security/Orders.php', <<<'PHP'
    <?php
    namespace App\Security;

    use App\Entity\Order;
    use Symfony\Component\HttpFoundation\Request;
    use Symfony\Component\HttpKernel\Controller\ValueResolverInterface;
    use Symfony\Component\HttpKernel\ControllerMetadata\ArgumentMetadata;
    use Symfony\Component\HttpKernel\Exception\NotFoundHttpException;

    final class Orders implements ValueResolverInterface
    {
        public function resolve(Request $request, ArgumentMetadata $argument): iterable
        {
            if ($argument->getType() !== Order::class) {
                return [];
            }
            $id = $request->attributes->get('id');
            return in_array($id, ['1', '2'], true) ? [new Order((int) $id)] : throw new NotFoundHttpException();
        }
    }
    PHP);
file_put_contents('src/Security/Users.php', <<<'PHP'
    <?php
    namespace App\Security;

    use App\Entity\User;
    use Symfony\Component\Security\Core\User\UserInterface;
    use Symfony\Component\Security\Core\User\UserProviderInterface;

    final class Users implements UserProviderInterface
    {
        public function refreshUser(UserInterface $user): UserInterface
        {
            return $user;
        }

        public function supportsClass(string $class): bool
        {
            return $class === User::class;
        }

        public function loadUserByIdentifier(string $identifier): UserInterface
        {
            return new User($identifier);
        }
    }
    PHP);
file_put_contents('src/Controller/Others.php', <<<'PHP'
    <?php
    namespace App\Controller;

    use Symfony\Component\HttpFoundation\Response;
    use Symfony\Component\Routing\Attribute\Route;
    use Symfony\Component\Security\Http\Attribute\IsGranted;

    final class Others
    {
        #[Route('/sign-in', name: 'sign_in')]
        public function signIn(): Response
        {
            return new Response('sign in');
        }

        #[Route('/healthz', name: 'healthz')]
        public function health(): Response
        {
            return new Response('ok');
        }

        #[Route('/forgotten', name: 'forgotten')]
        public function forgotten(): Response
        {
            return new Response('secret');
        }

        #[Route('/healthz2', name: 'healthz2')]
        public function alike(): Response
        {
            return new Response('secret');
        }

        #[Route('/admin', name: 'admin')]
        #[IsGranted('ROLE_ADMIN')]
        public function admin(): Response
        {
            return new Response('admin');
        }
    }
    PHP);

require 'support/symfony.php';
packages('Symfony/Bundle/SecurityBundle');

use Symfony\Bundle\FrameworkBundle\FrameworkBundle;
use Symfony\Bundle\SecurityBundle\SecurityBundle;
use Symfony\Component\DependencyInjection\Loader\Configurator\ContainerConfigurator;

final class Secured extends Application
{
    public function registerBundles(): iterable
    {
        return [new FrameworkBundle(), new SecurityBundle()];
    }

    public function getCacheDir(): string
    {
        return getcwd() . "/cache-{$GLOBALS['without']}";
    }

    protected function configureContainer(ContainerConfigurator $container): void
    {
        parent::configureContainer($container);
        $container->extension('security', [
            'password_hashers' => [App\Entity\User::class => 'plaintext'],
            'providers' => ['users' => ['id' => App\Security\Users::class]],
            'firewalls' => ['main' => [
                'provider' => 'users', 'entry_point' => 'form_login', 'http_basic' => null,
                'form_login' => ['login_path' => 'sign_in', 'check_path' => 'sign_in'],
            ]],
        ]);
    }
}

$application = new Secured();
$status = static function (string $path, ?string $user = 'ann', string $method = 'GET') use ($application): int|string {
    $headers = $user === null ? [] : ['PHP_AUTH_USER' => $user, 'PHP_AUTH_PW' => 'x'];
    $response = $application->call($method, $path, $headers);
    return $response->isRedirect() ? (string) parse_url($response->headers->get('Location'), PHP_URL_PATH) : $response->getStatusCode();
};

if ($without === 'voter') {
    foreach (['ann', 'bob', 'admin'] as $user) {
        same(404, $status('/orders/1', $user), "$user without the voter");
    }
    exit(0);
}
same('{"id":1,"title":"Tea 1"}', $application->call('GET', '/orders/1', ['PHP_AUTH_USER' => 'ann', 'PHP_AUTH_PW' => 'x'])->getContent(), 'own order');
foreach (['/orders/1', '/%6frders/1', '/orders/%31'] as $path) {
    foreach (['GET', 'HEAD'] as $method) {
        same(200, $status($path, 'ann', $method), "$method $path of ann");
        same(404, $status($path, 'bob', $method), "$method $path of bob");
        same(404, $status($path, 'admin', $method), "$method $path of an administrator");
        same('/sign-in', $status($path, null, $method), "$method $path without a session");
    }
}
same(404, $status('/orders/2'), 'order of bob');
same(404, $status('/orders/3'), 'no such order');
same(405, $status('/orders/1', 'ann', 'DELETE'), 'another method');
foreach (['ann', 'bob', 'admin'] as $user) {
    same(403, $status('/orders/1/', $user), "a trailing slash of $user");
    same(403, $status('/forgotten', $user), "no permission of $user");
    same(403, $status('/healthz2', $user), "a path that begins like an open one, of $user");
}
foreach (['/forgotten', '/healthz2', '/orders/1/', '/admin'] as $path) {
    same('/sign-in', $status($path, null), "$path without a session");
}
same(200, $status('/healthz', null), 'an open route');
same(200, $status('/sign-in', null), 'sign-in');
same(200, $status('/admin', 'admin'), 'a role');
same(403, $status('/admin', 'ann'), 'without the role');

exec(escapeshellarg(PHP_BINARY) . ' check.php voter 2>&1', $output, $code);
same(0, $code, implode("\n", $output));
