"""Requests the records of another customer by every method. Debian: python3-djangorestframework."""
import os
import sys
from pathlib import Path

from support.files import split
from support.needs import needs

needs(Django="5.2", djangorestframework="3.16")
for block in ["shop/permissions.py", "urls.py"]:
    os.rename(block, "block.py")
    split("block.py")
Path("settings.py").write_text(Path("settings.py").read_text(encoding="utf-8") + '''
SECRET_KEY = "a" * 50
ALLOWED_HOSTS = ["*"]
ROOT_URLCONF = "site_urls"
AUTH_USER_MODEL = "shop.User"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
INSTALLED_APPS = ["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "rest_framework",
    "shop"]
MIDDLEWARE = ["django.contrib.sessions.middleware.SessionMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware"]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}
''', encoding="utf-8")
Path("shop/models.py").write_text('''
from django.contrib.auth.models import AbstractUser
from django.db import models

class Customer(models.Model):
    pass

class User(AbstractUser):
    customer = models.ForeignKey(Customer, on_delete=models.CASCADE, null=True)

class Address(models.Model):
    customer = models.ForeignKey(Customer, on_delete=models.CASCADE)

class Order(models.Model):
    customer = models.ForeignKey(Customer, on_delete=models.CASCADE)
    address = models.ForeignKey(Address, on_delete=models.CASCADE)
    title = models.CharField(max_length=100)
''', encoding="utf-8")
Path("site_urls.py").write_text('''
from django.urls import path
from rest_framework.response import Response
from rest_framework.views import APIView

from urls import urlpatterns

class Forgotten(APIView):
    def get(self, request):
        return Response("secret")

urlpatterns = [*urlpatterns, path("forgotten", Forgotten.as_view())]
''', encoding="utf-8")
os.environ["DJANGO_SETTINGS_MODULE"] = "settings"
sys.path.insert(0, ".")

import django

django.setup()
from django.core.management import call_command
from rest_framework.test import APIClient

call_command("makemigrations", "shop", verbosity=0)
call_command("migrate", verbosity=0)
from shop.models import Address, Customer, Order, User


def customer(name):
    created = Customer.objects.create()
    user = User.objects.create(username=name, customer=created)
    address = Address.objects.create(customer=created)
    client = APIClient()
    client.force_login(user)
    return client, address, Order.objects.create(customer=created, address=address, title=f"of {name}")


ann, home, own = customer("ann")
bob, foreign_home, foreign = customer("bob")
anyone = APIClient()

assert [order["id"] for order in ann.get("/api/orders/").json()] == [own.id]
assert ann.get(f"/api/orders/{own.id}/").json() == {"id": own.id, "title": "of ann", "address": home.id}
assert ann.patch(f"/api/orders/{own.id}/", {"title": "new"}).status_code == 200
created = ann.post("/api/orders/", {"title": "more", "address": home.id, "customer": foreign.customer_id})
assert created.status_code == 201 and Order.objects.get(id=created.json()["id"]).customer_id == own.customer_id

changes = {"title": "taken", "address": home.id}
for method in ["get", "put", "patch", "delete"]:
    assert getattr(ann, method)(f"/api/orders/{foreign.id}/", changes).status_code == 404, method
    assert getattr(anyone, method)(f"/api/orders/{foreign.id}/", changes).status_code == 403, method
for method, path in [("post", "/api/orders/"), ("put", f"/api/orders/{own.id}/"), ("patch", f"/api/orders/{own.id}/")]:
    refused = getattr(ann, method)(path, {"title": "a", "address": foreign_home.id})
    assert refused.status_code == 400 and refused.json().keys() == {"address"}, method
ann.patch(f"/api/orders/{own.id}/", {"customer": foreign.customer_id})
own.refresh_from_db()
unchanged = Order.objects.get(id=foreign.id)
assert own.customer_id != foreign.customer_id and own.address_id == home.id
assert (unchanged.title, unchanged.address_id) == ("of bob", foreign_home.id)
assert ann.get("/forgotten").status_code == 403 and anyone.get("/forgotten").status_code in (401, 403)
