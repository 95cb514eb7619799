import os
import sys
from datetime import datetime, timezone
from pathlib import Path
from urllib.parse import unquote, urlsplit

from support.needs import needs

needs(Django="5.2", psycopg="3.1.8")
os.makedirs("shop")
Path("shop/__init__.py").touch()
os.rename("block_1.py", "shop/queries.py")
Path("shop/models.py").write_text('''
from django.contrib.auth.models import User
from django.db import models

class Customer(models.Model):
    user = models.OneToOneField(User, on_delete=models.CASCADE)

class Order(models.Model):
    customer = models.ForeignKey(Customer, on_delete=models.CASCADE)
    placed_at = models.DateTimeField()
    price = models.IntegerField()
    quantity = models.IntegerField()
    note = models.TextField(default="")
''', encoding="utf-8")
Path("urls.py").write_text('''
from django.http import JsonResponse
from django.urls import path
from shop.models import Customer
from shop.queries import monthly_report

def report(request):
    rows = monthly_report(Customer.objects.get(user__username="ann"), 2026, request.GET["sort"])
    return JsonResponse([row["total"] for row in rows], safe=False)

urlpatterns = [path("report", report)]
''', encoding="utf-8")
sys.path.insert(0, ".")
address = urlsplit(sys.argv[1])

import django
from django.conf import settings

settings.configure(
    SECRET_KEY="a" * 50, ALLOWED_HOSTS=["*"], ROOT_URLCONF="urls", USE_TZ=True,
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "shop"],
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    DATABASES={"default": {
        "ENGINE": "django.db.backends.postgresql", "NAME": address.path[1:], "USER": unquote(address.username or ""),
        "PASSWORD": unquote(address.password or ""), "HOST": address.hostname, "PORT": str(address.port),
    }},
)
django.setup()
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

call_command("makemigrations", "shop", verbosity=0)
call_command("migrate", verbosity=0)
from shop.models import Customer, Order
from shop.queries import search_notes

ann, bob = (Customer.objects.create(user=User.objects.create_user(name, password="x")) for name in ("ann", "bob"))
NOTES = ["plain", "100% wool", "a_b", "back\\slash", "it's ' OR 1=1 -- here"]
for month, note in enumerate(NOTES, 1):
    for owner in (ann, bob):
        Order.objects.create(customer=owner, placed_at=datetime(2026, month, 2, tzinfo=timezone.utc),
                             price=month * 10, quantity=1 if month != 2 else 9, note=note)
client = Client(raise_request_exception=False)


def report(sort):
    return client.get("/report", {"sort": sort})


assert report("month").json() == [10, 180, 30, 40, 50] and report("total").json() == [180, 50, 40, 30, 10]
for sort in [
    "customer__user__password", "'", "-month", "total; DROP TABLE shop_order", "customer__user__password__startswith",
    "placed_at", "", "__class__",
]:
    assert report(sort).status_code == 400, sort


def notes(needle, owner=ann):
    found = list(search_notes(owner, needle))
    assert all(order.customer_id == owner.pk for order in found)
    return [order.note for order in found]


assert notes("WOOL") == ["100% wool"] and notes("plain", bob) == ["plain"] and notes("nothing") == []
for needle, found in [("%", "100% wool"), ("_", "a_b"), ("\\", "back\\slash"), ("' OR 1=1 --", NOTES[4])]:
    assert notes(needle) == [found], needle
for needle in ["' OR 1=1 LIMIT 50 --", "x%' OR customer_id = 2 --", "'; DROP TABLE shop_order; --", "%%", "_____"]:
    assert notes(needle) == [], needle
assert Order.objects.count() == 10
