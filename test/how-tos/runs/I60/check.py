"""Gives each loader good documents, and documents that would create objects or run code."""
import datetime
import decimal
import fractions
import hmac
import os
import pickle
from pathlib import Path

from support.needs import needs

needs(PyYAML="6", pydantic="2", defusedxml="0.7")

from block_1 import read_job, read_settings, read_title
from block_2 import read_old


class Hostile:
    def __reduce__(self):
        return os.mkdir, ("created",)


def refused(work, *arguments):
    try:
        work(*arguments)
    except Exception:
        assert not os.path.exists("created"), "The data ran code."
        return
    raise AssertionError(f"{work.__name__} accepted {arguments!r:.200}")


assert read_job(b'{"id": 1, "lines": ["a"]}').lines == ["a"]
for message in [
    b'{"id": 1, "lines": ["a"], "admin": true}', b'{"id": "1", "lines": ["a"]}', b'{"id": 1, "lines": [1]}',
    b'{"id": 1}', b"[]", b'{"id": 1, "lines": ["' + b"a" * 1_000_000 + b'"]}', pickle.dumps(Hostile()),
    b'{"id": 1, "lines": [' + b",".join([b'"a"'] * 1001) + b"]}",
]:
    refused(read_job, message)


def settings(text):
    Path("settings.yml").write_text(text, encoding="utf-8")
    return read_settings("settings.yml")


assert settings("queue: mails").queue == "mails"
for text in [
    "queue: !!python/object/apply:os.mkdir [created]", "!!python/object/apply:os.mkdir [created]",
    "queue: !!python/name:os.system", "queue: mails\nmore: 1", "queue: [1]",
]:
    refused(settings, text)

assert read_title("<a><title>T</title></a>") == "T"
Path("secret.txt").write_text("hunter2", encoding="utf-8")
secret = Path("secret.txt").absolute().as_uri()
refused(read_title, "<!DOCTYPE a [<!ENTITY e 'x'>]><a><title>&e;</title></a>")
refused(read_title, f"<!DOCTYPE a [<!ENTITY e SYSTEM '{secret}'>]><a><title>&e;</title></a>")

KEY = b"k" * 32


def old(value, key=KEY):
    message = pickle.dumps(value)
    return read_old(message, hmac.digest(key, message, "sha256"), KEY)


for value in [decimal.Decimal("1.5"), datetime.datetime(2026, 1, 2), {"a": [1]}]:
    assert old(value) == value
refused(old, decimal.Decimal("1.5"), b"x" * 32)
for value in [fractions.Fraction(1, 2), Hostile(), os.system, eval]:
    refused(old, value)
