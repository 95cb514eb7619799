"""Renders the template of the how-to with hostile values."""
import json
import os
import re
from types import SimpleNamespace

from support.needs import needs

needs(Django="5.2")
for folder in ["shop", "shop/templatetags"]:
    open(f"{folder}/__init__.py", "w").close()

import django
from django.conf import settings

settings.configure(
    INSTALLED_APPS=["django.contrib.staticfiles", "shop"], STATIC_URL="/static/",
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "DIRS": [os.getcwd()], "APP_DIRS": True}],
)
django.setup()
from django.template.loader import render_to_string


def page(name="Ann", team="Blue", homepage="https://example.com/", chart=None):
    owner = SimpleNamespace(name=name, team=team, homepage=homepage)
    return render_to_string("block_2.html", {"owner": owner, "chart": chart or {}})


def address(homepage):
    return re.search(r'<a href="([^"]*)">', page(homepage=homepage))[1]


ordinary = page(chart={"points": [1, 2]})
assert '<span class="badge" title="Blue">Ann</span>' in ordinary and '<script src="/static/chart.js">' in ordinary
for hostile in [
    '"><img src=x onerror=alert(1)>', "</script><script>alert(1)</script>", "<b>", "' onclick='x", '" onclick="x',
]:
    rendered = page(hostile, hostile, "https://example.com/" + hostile.replace(" ", ""), {"points": hostile})
    assert len(re.findall("<[a-z]", rendered)) == len(re.findall("<[a-z]", ordinary)), rendered
    assert re.search('<span class="badge" title="[^"]*">[^<]*</span>', rendered), rendered
    data = re.search(r'<script id="chart-data" type="application/json">(.*?)</script>', rendered)[1]
    assert json.loads(data) == {"points": hostile}
for harmless in ["https://example.com/", "http://example.com/a?b=c", "mailto:a@example.com", "HTTPS://example.com/"]:
    assert address(harmless) == harmless, address(harmless)
for hostile in [
    "javascript:alert(1)", "JavaScript:alert(1)", " javascript:alert(1)", "java\tscript:alert(1)", "data:text/html,x",
    "vbscript:x", "javascript:alert(1)//https://example.com/", "javascript:\nhttps://example.com/", "//evil.example", "",
    "https://example.com/\njavascript:x",
]:
    assert address(hostile) == "#", hostile
