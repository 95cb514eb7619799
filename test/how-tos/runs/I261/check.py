"""Signs in on three devices, ends their sessions with and without the password, and tries those of another user."""
import os
import re
import sys
from pathlib import Path

from support.files import split
from support.needs import needs

needs(Django="5.2", geoip2="2")

import geoip2.database
import geoip2.errors


class Places:
    """Stands for the database of GeoLite2, whose licence does not allow a copy here."""

    def __init__(self, file):
        assert file.endswith("GeoLite2-Country.mmdb")

    def country(self, address):
        if not re.fullmatch(r"[\d.]+", address):
            raise ValueError(address)
        if address != "198.51.100.7":
            raise geoip2.errors.AddressNotFoundError(address)
        country = type("Country", (), {"name": "Portugal"})
        return type("Answer", (), {"country": country})


geoip2.database.Reader = Places
split("shop/models.py")
Path("shop/templates/registration").mkdir(parents=True)
os.rename("block_2.html", "shop/templates/sessions.html")
Path("shop/templates/registration/login.html").write_text("sign in", encoding="utf-8")
Path("shop/apps.py").write_text('''
from django.apps import AppConfig

class Shop(AppConfig):
    name = "shop"

    def ready(self):
        import shop.sessions
''', encoding="utf-8")
Path("settings.py").write_text('''
from support.django_site import *
ALLOWED_HOSTS = ["app.example.com"]
ROOT_URLCONF = "site_urls"
INSTALLED_APPS = ["shop", *INSTALLED_APPS]
MIDDLEWARE = [*MIDDLEWARE, "shop.sessions.RecordUse"]
LOGIN_URL = "/sign-in/"
LOGIN_REDIRECT_URL = "/sessions/"
''', encoding="utf-8")
Path("site_urls.py").write_text('''
from django.contrib.auth import views
from django.urls import include, path

urlpatterns = [path("", include("shop.sessions")), path("sign-in/", views.LoginView.as_view()),
    path("password/", views.PasswordChangeView.as_view(success_url="/sessions/"))]
''', encoding="utf-8")
os.environ["DJANGO_SETTINGS_MODULE"] = "settings"
sys.path.insert(0, ".")

import django

django.setup()
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

call_command("makemigrations", "shop", verbosity=0)
call_command("migrate", verbosity=0)
from shop.models import SignIn

PASSWORD = "correct horse battery"
for name in ("ann", "bob"):
    User.objects.create_user(name, password=PASSWORD)


def device(agent, name="ann", address="198.51.100.7", password=PASSWORD):
    client = Client(
        headers={"host": "app.example.com", "user-agent": agent}, REMOTE_ADDR=address, enforce_csrf_checks=True)
    client.get("/sign-in/")
    form(client, "/sign-in/", username=name, password=password)
    assert works(client)
    return client


def form(client, path, **fields):
    from django.middleware.csrf import _get_new_csrf_string
    client.cookies["csrftoken"] = secret = _get_new_csrf_string()
    return client.post(path, {"csrfmiddlewaretoken": secret, **fields})


def works(client):
    answer = client.get("/sessions/")
    assert answer.status_code in (200, 302)
    return answer.status_code == 200


def rows(name="ann"):
    return {row.agent: row for row in SignIn.objects.filter(user__username=name)}


laptop, phone = device("Laptop"), device("Phone", address="203.0.113.9")
tablet, other = device("Tablet", address="unknown"), device("Other", "bob")
page = laptop.get("/sessions/").text
for text in ["Laptop, Portugal, since", "Phone, , since", "Tablet, , since", "last used"]:
    assert text in page, page
assert page.count("this session") == 1 and "Other" not in page
assert not any(row.session_key in page for row in SignIn.objects.all())
assert Client(headers={"host": "app.example.com"}).get("/sessions/").status_code == 302
before = rows()["Phone"].last_used
assert works(phone) and rows()["Phone"].last_used > before
device("<b>bold</b>" + "x" * 300)
assert "<b>" not in laptop.get("/sessions/").text

end_phone = f"/sessions/{rows()['Phone'].pk}/end/"
for fields in [{}, {"password": ""}, {"password": "wrong"}]:
    assert form(laptop, end_phone, **fields).status_code == 403 and works(phone)
assert laptop.post(end_phone, {"password": PASSWORD}).status_code == 403 and works(phone), "It needs the token."
assert laptop.get(end_phone, {"password": PASSWORD}).status_code == 405 and works(phone)
assert form(other, end_phone, password=PASSWORD).status_code == 404 and works(phone)
assert form(laptop, end_phone, password=PASSWORD).status_code == 302
assert not works(phone) and works(laptop) and works(tablet) and works(other) and "Phone" not in rows()
assert form(phone, end_phone, password=PASSWORD).headers["Location"].startswith("/sign-in/")

assert form(laptop, "/sessions/end-others/", password="wrong").status_code == 403 and works(tablet)
assert form(laptop, "/sessions/end-others/", password=PASSWORD).status_code == 302
assert works(laptop) and not works(tablet) and works(other) and list(rows()) == ["Laptop"]

NEW = "battery staple horse"
tablet = device("Tablet")
changed = form(laptop, "/password/", old_password=PASSWORD, new_password1=NEW, new_password2=NEW)
assert changed.status_code == 302, changed.text
assert works(laptop) and not works(tablet) and works(other)
# The session has another key now, which its row follows.
assert rows()["Laptop"].session_key == laptop.session.session_key
phone = device("Phone", password=NEW)
assert form(phone, f"/sessions/{rows()['Laptop'].pk}/end/", password=NEW).status_code == 302
assert not works(laptop) and works(phone)
