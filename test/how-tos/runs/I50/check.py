"""Registers and signs in users with the settings of the how-to."""
from support.needs import needs

needs(Django="5.2", **{"argon2-cffi": "19.2"})

import django
from django.conf import settings

import block_1

settings.configure(
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes"], SECRET_KEY="a" * 50,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    **{name: value for name, value in vars(block_1).items() if name.isupper()},
)
django.setup()
from django.contrib.auth import authenticate
from django.contrib.auth.forms import UserCreationForm
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.core.management import call_command

call_command("migrate", verbosity=0)
PASSWORD = "correct horse battery"
ARGON2 = "argon2$argon2id$v=19$m=102400,t=2,p=8$"


def stored(name):
    return User.objects.get(username=name).password


def registers(name, password):
    form = UserCreationForm({"username": name, "password1": password, "password2": password})
    return form.is_valid() and form.save() is not None


assert registers("ann", PASSWORD) and registers("bob", PASSWORD)
assert stored("ann") != stored("bob") and stored("ann").startswith(ARGON2) and stored("bob").startswith(ARGON2)
assert authenticate(username="ann", password=PASSWORD) and authenticate(username="ann", password=PASSWORD + "x") is None
assert registers("fifteen", "qzvxkwjyplmtrgh") and not registers("fourteen", "qzvxkwjyplmtrg")
assert not registers("common", "1qaz2wsx3edc4rfv")

old = make_password(PASSWORD, hasher="pbkdf2_sha256")
User.objects.create(username="old", password=old)
assert authenticate(username="old", password="wrong") is None and stored("old") == old
assert authenticate(username="old", password=PASSWORD) and stored("old").startswith(ARGON2)
for weak in ["md5$salt$" + "0" * 32, "sha1$salt$" + "0" * 40, "plain"]:
    User.objects.filter(username="old").update(password=weak)
    assert authenticate(username="old", password="plain") is None
