<?php
// What the how-to expects of the application.
namespace App\Models {
    final class User extends \Illuminate\Auth\GenericUser
    {
        public function __get($key)
        {
            return $this->attributes[$key] ?? [];
        }
    }
}

namespace App\Http\Controllers {
    final class InvoiceController
    {
        public function index(): string
        {
            return 'invoices';
        }
    }
}
