<?php
// Sends a form as the application's own page and as pages elsewhere do.
is_dir('src/Controller') || mkdir('src/Controller', recursive: true);
$_SERVER['APP_ORIGIN'] = $_ENV['APP_ORIGIN'] = 'https://app.example.com';
file_put_contents('src/Controller/PageController.php', <<<'PHP'
    <?php
    namespace App\Controller;

    use Symfony\Component\HttpFoundation\Response;
    use Symfony\Component\HttpKernel\Attribute\AsController;
    use Symfony\Component\Routing\Attribute\Route;
    use Symfony\Component\Security\Csrf\CsrfTokenManagerInterface;

    #[AsController]
    final class PageController
    {
        public static int $effects = 0;

        #[Route('/address', methods: ['GET'])]
        public function form(CsrfTokenManagerInterface $tokens): Response
        {
            return new Response($tokens->getToken('address')->getValue());
        }

        #[Route('/sign-in', methods: ['POST', 'GET'])]
        #[Route('/webhook', methods: ['POST'])]
        #[Route('/item', methods: ['DELETE', 'PUT', 'PATCH'])]
        public function change(): Response
        {
            self::$effects++;
            return new Response('done');
        }
    }
    PHP);
require 'support/symfony.php';
$application = new Application();

$session = static function () use ($application): array {
    $response = $application->call('GET', '/address', ['Sec-Fetch-Site' => 'cross-site']);
    same(200, $response->getStatusCode(), 'a link from another site');
    $cookie = $response->headers->getCookies()[0];
    return [$response->getContent(), [$cookie->getName() => $cookie->getValue()]];
};
[$token, $cookies] = $session();
[$otherToken] = $session();
$own = ['Sec-Fetch-Site' => 'same-origin', 'Origin' => 'https://app.example.com'];
$post = static fn (array $headers, array $fields, ?array $with = null): int
    => $application->call('POST', '/address', $headers, $fields, $with ?? $cookies)->getStatusCode();

same(204, $post($own, ['_token' => $token]), 'own form');
same(204, $post(['Origin' => 'https://app.example.com'], ['_token' => $token]), 'an older browser');
same(403, $post($own, []), 'no token');
same(403, $post($own, ['_token' => '']), 'an empty token');
same(403, $post($own, ['_token' => $otherToken]), 'the token of another session');
same(403, $post($own, ['_token' => $token], []), 'no session');

$foreign = [
    ['Sec-Fetch-Site' => 'cross-site', 'Origin' => 'https://evil.example'],
    ['Sec-Fetch-Site' => 'same-site', 'Origin' => 'https://other.example.com'],
    ['Sec-Fetch-Site' => 'cross-site'],
    ['Sec-Fetch-Site' => 'none'],
    ['Origin' => 'https://evil.example'],
    ['Origin' => 'null'],
    ['Origin' => 'https://app.example.com.evil.example'],
    ['Origin' => 'http://app.example.com'],
    [],
];
foreach ($foreign as $headers) {
    $what = json_encode($headers);
    same(403, $post($headers, ['_token' => $token]), $what);
    same(403, $post($headers + ['X-HTTP-Method-Override' => 'GET'], ['_token' => $token, '_method' => 'GET']), "$what as GET");
    foreach (['POST /sign-in', 'DELETE /item', 'PUT /item', 'PATCH /item'] as $call) {
        [$method, $path] = explode(' ', $call);
        same(403, $application->call($method, $path, $headers, [], $cookies)->getStatusCode(), "$call $what");
        same(403, $application->call($method, $path, $headers, ['_method' => 'GET'], $cookies)->getStatusCode(), "$call $what as GET");
    }
}
same(0, App\Controller\PageController::$effects, 'effects');
same(200, $application->call('POST', '/sign-in', $own, [], $cookies)->getStatusCode(), 'own sign-in');
same(200, $application->call('POST', '/webhook')->getStatusCode(), 'a webhook without cookies');
same(403, $application->call('POST', '/webhook', ['Sec-Fetch-Site' => 'cross-site'])->getStatusCode(), 'a webhook from a page');
