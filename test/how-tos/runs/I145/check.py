"""Requests password resets and uses their links in every order that an attacker could."""
import os
import re
from pathlib import Path

from support.files import split
from support.needs import needs

needs(Django="5.2")
split("settings.py")
PUBLISHED = Path("settings.py").read_text(encoding="utf-8")
Path("settings.py").write_text(f"from support.django_site import *\n{PUBLISHED}" + '''
ALLOWED_HOSTS = ["app.example.com"]
ROOT_URLCONF = "site_urls"
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
INSTALLED_APPS = ["accounts", *INSTALLED_APPS]
''', encoding="utf-8")
Path("site_urls.py").write_text('''
from django.contrib import admin
from django.http import HttpResponse
from django.urls import include, path

urlpatterns = [path("", include("urls")), path("admin/", admin.site.urls), path("login/", lambda r: None, name="login"),
    path("me", lambda r: HttpResponse(r.user.get_username()))]
''', encoding="utf-8")
os.environ["DJANGO_SETTINGS_MODULE"] = "settings"

import django

django.setup()
from django.contrib.auth import authenticate
from django.core import mail
from django.core.management import call_command
from django.test import Client

call_command("makemigrations", "accounts", verbosity=0)
call_command("migrate", verbosity=0)
mail.outbox = []
from accounts.models import ApiToken, User

OLD, NEW = "an old long password", "correct horse battery"
ann, bob = (User.objects.create_user(name, f"{name}@example.com", OLD) for name in ("ann", "bob"))


def browser():
    return Client(headers={"host": "app.example.com"})


def request(email, **more):
    mail.outbox.clear()
    answer = browser().post("/reset/", {"email": email}, **more)
    found = [re.search(r"https?://[^/]+(/reset/\S+/\S+/)", message.body) for message in mail.outbox]
    return answer, found[0][1] if found else None


def use(link, password=NEW):
    """Opens a link, and submits the form if there is one. Returns the text of a refusal."""
    client = browser()
    page = client.get(link, follow=True)
    form = page.redirect_chain[-1][0] if page.redirect_chain else link
    done = client.post(form, {"new_password1": password, "new_password2": password})
    assert client.get("/me").text == "", "A reset is no sign-in."
    return None if done.status_code == 302 else done.text.replace(link, "")


def signs_in(name, password):
    # Without a session: a sign-in would invalidate the links.
    return authenticate(username=name, password=password) is not None


elsewhere = browser()
assert elsewhere.login(username="ann", password=OLD) and elsewhere.get("/me").text == "ann"
ApiToken.objects.create(user=ann, hash="a" * 64)
ApiToken.objects.create(user=bob, hash="b" * 64)

known, first = request("ann@example.com")
unknown, none = request("nobody@example.com")
assert none is None and (known.status_code, known.headers["Location"]) == (unknown.status_code, unknown.headers["Location"])
_, second = request("ann@example.com")
assert "https://app.example.com/reset/" in mail.outbox[0].body
refusals = [use(first)]
assert refusals[0] and signs_in("ann", OLD) and elsewhere.get("/me").text == "ann"
client = browser()
opened = client.get(second)
assert second.split("/")[-2] not in opened.headers["Location"], "The address of the form has the token."
assert client.get(opened.headers["Location"]).headers["Referrer-Policy"] == "same-origin"
_, other = request("bob@example.com")
stranger = "/".join([*second.split("/")[:2], other.split("/")[2], *second.split("/")[3:]])
refusals.append(use(stranger))
mail.outbox.clear()
assert use(second) is None
assert signs_in("ann", NEW) and not signs_in("ann", OLD) and not signs_in("bob", NEW)
assert elsewhere.get("/me").text == "", "The other session goes on."
assert [(m.subject, m.to) for m in mail.outbox] == [("Your password was changed", ["ann@example.com"])]
assert list(ApiToken.objects.values_list("user__username", flat=True)) == ["bob"]
refusals.append(use(second))

_, link = request("ann@example.com")
User.objects.filter(username="ann").update(email="anna@example.com")
refusals.append(use(link))
_, link = request("anna@example.com")
from datetime import datetime, timedelta

from accounts.tokens import NewestOnly

for minutes, works in [(61, False), (59, True)]:
    NewestOnly._now = lambda _self, m=minutes: datetime.now() + timedelta(minutes=m)
    answer = use(link, "another long password")
    assert (answer is None) == works, f"{minutes} minutes"
    refusals += [] if works else [answer]
del NewestOnly._now
assert all(refusals) and len({re.sub("value=\"[^\"]*\"", "", text) for text in refusals}) == 1, refusals
for host in ["evil.test", "app.example.com.evil.test"]:
    answer, _ = request("anna@example.com", headers={"host": host})
    assert answer.status_code == 400 and not mail.outbox
request("anna@example.com", headers={"x-forwarded-host": "evil.test"})
assert "evil.test" not in mail.outbox[0].body
