"""Runs Django's own check and an application with the settings of the how-to."""
import os
import re
import subprocess
import sys
from pathlib import Path

from support.needs import needs

needs(Django="5.2")

BASE = """
SECRET_KEY = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ALLOWED_HOSTS = ["app.example.com"]
ROOT_URLCONF = "urls"
INSTALLED_APPS = ["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions"]
MIDDLEWARE = ["django.middleware.security.SecurityMiddleware", "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware", "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware"]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
"""
PUBLISHED = Path("block_1.py").read_text(encoding="utf-8")
Path("base.py").write_text(BASE, encoding="utf-8")
Path("urls.py").write_text('''
from django.contrib.auth import login, logout
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.middleware.csrf import get_token
from django.urls import path


def sign_in(request):
    login(request, User.objects.get())
    return HttpResponse(get_token(request), status=int(request.GET.get("status", 200)))


def sign_out(request):
    logout(request)
    return HttpResponse()


urlpatterns = [
    path("sign-in", sign_in), path("sign-out", sign_out), path("", lambda r: HttpResponse(r.user.get_username()))]
''', encoding="utf-8")
os.environ["DJANGO_SETTINGS_MODULE"] = "production"


def deploys(more=""):
    Path("production.py").write_text(f"from base import *\n{PUBLISHED}\n{more}", encoding="utf-8")
    command = [sys.executable, "-m", "django", "check", "--deploy", "--fail-level", "WARNING"]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": "."})
    return done.returncode == 0, done.stdout + done.stderr


for setting in ["SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_SSL_REDIRECT"]:
    passed, output = deploys(f"{setting} = False")
    assert not passed and setting in output, output
passed, output = deploys()
assert passed and "no issues" in output, output

import django
from django.test import Client

django.setup()
from django.contrib.auth.models import User
from django.core.management import call_command

call_command("migrate", verbosity=0)
User.objects.create(username="ann")


def browser():
    return Client(headers={"host": "app.example.com", "x-forwarded-proto": "https"})


def attributes(response, name):
    [line] = [str(morsel) for key, morsel in response.cookies.items() if key == name]
    return {part.strip().split("=")[0].lower(): part.partition("=")[2] for part in line.split(";")[1:]}


redirect = Client(headers={"host": "app.example.com"}).get("/")
assert (redirect.status_code, redirect.headers["Location"]) == (301, "https://app.example.com/")
for status in [200, 404]:
    client = browser()
    response = client.get(f"/sign-in?status={status}")
    session = attributes(response, "__Host-sessionid")
    assert {"secure", "httponly"} <= session.keys() and "domain" not in session, session
    assert session["samesite"] == "Lax" and session["path"] == "/", session
    assert 0 < int(session["max-age"]) <= 8 * 60 * 60, session
    token = attributes(response, "__Host-csrftoken")
    assert "secure" in token and token["path"] == "/" and "domain" not in token, token
    assert response.headers["Strict-Transport-Security"] == "max-age=3600; includeSubDomains"
    assert client.get("/").text == "ann" and browser().get("/").text == ""
    assert set(response.cookies) == {"__Host-sessionid", "__Host-csrftoken"}
ended = attributes(client.get("/sign-out"), "__Host-sessionid")
assert "secure" in ended and (ended["samesite"], ended["path"], ended["max-age"]) == ("Lax", "/", "0"), ended
assert client.get("/").text == ""
ids = {browser().get("/sign-in").cookies["__Host-sessionid"].value for _ in range(20)}
assert len(ids) == 20 and all(re.fullmatch("[a-z0-9]{32}", name) for name in ids)
