<?php
// What the how-to expects of the application.
namespace App\Models {
    use Illuminate\Database\Eloquent\Model;
    use Illuminate\Database\Eloquent\Relations\HasMany;

    class Customer extends Model
    {
        public $timestamps = false;

        public function orders(): HasMany
        {
            return $this->hasMany(Order::class);
        }
    }

    class Order extends Model
    {
        public $timestamps = false;
        protected $fillable = ['address_id'];
    }

    class User extends \Illuminate\Foundation\Auth\User
    {
        public $timestamps = false;
    }
}

namespace App\Http\Controllers {
    abstract class Controller
    {
    }
}

// Debian has Laravel 10. The builder of Laravel 11 is a stand-in, which hands over to the kernel and handler of 10.
namespace Illuminate\Foundation\Configuration {
    use Illuminate\Contracts\Debug\ExceptionHandler;
    use Illuminate\Support\Facades\Route;

    final class Middleware
    {
    }

    final class Exceptions
    {
        public function render(callable $using): void
        {
            app(ExceptionHandler::class)->renderable($using);
        }
    }

    final class Application
    {
        public static function configure(string $basePath): self
        {
            return new self();
        }

        public function withRouting(string $web): self
        {
            Route::middleware('web')->group(static fn () => published('routes/web.php'));
            return $this;
        }

        public function withMiddleware(callable $configure): self
        {
            $configure(new Middleware());
            return $this;
        }

        public function withExceptions(callable $configure): self
        {
            $configure(new Exceptions());
            return $this;
        }

        public function create(): \Illuminate\Foundation\Application
        {
            return \Illuminate\Foundation\Application::getInstance();
        }
    }
}

namespace {
    final class Kernel extends Illuminate\Foundation\Http\Kernel
    {
        protected $bootstrappers = [];
        protected $middlewareGroups = ['web' => [Illuminate\Routing\Middleware\SubstituteBindings::class]];
        protected $middlewareAliases = [
            'auth' => Illuminate\Auth\Middleware\Authenticate::class,
            'can' => Illuminate\Auth\Middleware\Authorize::class,
        ];
    }
}
