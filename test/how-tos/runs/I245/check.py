"""Runs the tests of the how-to, and further requests with forged hosts. Debian: python3-pytest-django."""
import os
import subprocess
import sys
from pathlib import Path

from support.files import split
from support.needs import needs

needs(Django="5.2", pytest="8", **{"pytest-django": "4"})
split("settings.py")
BASE = '''
from support.django_site import *
ROOT_URLCONF = "urls"
SECURE_SSL_REDIRECT = True
'''
SETTINGS, URLS = Path("settings.py").read_text(encoding="utf-8"), Path("urls.py").read_text(encoding="utf-8")
Path("urls.py").write_text(
    URLS + '\nfrom django.contrib import admin\nurlpatterns.append(path("admin/", admin.site.urls))\n', encoding="utf-8")
Path("test_more.py").write_text('''
import pytest
from test_links import user

ATTACKS = [
    {"headers": {"x-forwarded-host": "evil.test"}}, {"headers": {"forwarded": "host=evil.test"}},
    {"headers": {"host": "evil.test"}}, {"headers": {"host": "app.example.com.evil.test"}},
    {"headers": {"host": "app.example.com@evil.test"}}, {"headers": {"host": "evil.test:80"}},
    {"SERVER_NAME": "evil.test"}, {"headers": {"host": "app.example.com, evil.test"}},
]

@pytest.mark.parametrize("attack", ATTACKS)
def test_no_request_changes_the_link(client, user, mailoutbox, attack):
    response = client.post("/password-reset/", {"email": user.email}, secure=True,
        **{"SERVER_NAME": "app.example.com", **attack})
    assert "evil.test" not in response.headers.get("Location", "")
    if response.status_code != 400:
        assert "https://app.example.com/accounts/reset/" in mailoutbox[0].body
    assert not any("evil.test" in mail.body + mail.subject for mail in mailoutbox)

def test_links(rf, settings):
    from links import public_link
    assert public_link("password_reset_confirm", uidb64="a", token="b") == "https://app.example.com/accounts/reset/a/b/"
''', encoding="utf-8")


def failures(changed=None):
    Path("settings.py").write_text(BASE + (changed or SETTINGS), encoding="utf-8")
    tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_links.py", "test_more.py"]
    done = subprocess.run(
        tests, capture_output=True, text=True, env={**os.environ, "DJANGO_SETTINGS_MODULE": "settings"})
    return done.returncode, done.stdout


status, output = failures()
assert status == 0, output
status, output = failures(SETTINGS.replace('["app.example.com"]', '["*"]'))
assert status == 1 and "FAILED test_links.py::test_unknown_hosts_are_refused" in output, output
