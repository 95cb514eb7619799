"""Follows hostile targets, local ones, and signed ones on other hosts."""
import os

from support.needs import needs

needs(flask="3", itsdangerous="2.2")
os.environ["SECRET_KEY"] = "a" * 32
os.makedirs("templates")
os.rename("block_2.html", "templates/leave.html")

import block_1
from block_1 import app, external

client = app.test_client()


def location(target):
    response = client.get("/after-sign-in", query_string=None if target is None else {"next": target})
    assert response.status_code == 302
    return response.headers["Location"]


for hostile in [
    "//evil.example", "/\\evil.example", "\\\\evil.example", "///evil.example", "https:evil.example",
    "https://evil.example", "https://app.example.com@evil.example", "javascript:alert(1)", "java\tscript:alert(1)",
    "/\t/evil.example", "\t//evil.example", " //evil.example", "/\r\nSet-Cookie: a=b", "/%2fevil.example",
    "/%5cevil.example", "/%2Fevil.example", "evil.example", "", None, "/\x7f/evil.example",
]:
    assert location(hostile) == "/", f"{hostile!r}: {location(hostile)}"
twice = client.get("/after-sign-in?next=/%252f%252fevil.example")
assert twice.headers["Location"] == "/"
for local in ["/orders?x=1", "/orders/7#notes", "/"]:
    assert location(local) == local

with app.test_request_context():
    link = external('https://partner.example/?a="><script>')
    hidden = external("javascript:alert(1)")
page = client.get(link)
assert page.status_code == 200 and "<b>partner.example</b>" in page.text and "<script>" not in page.text
assert 'href="https://partner.example/?a=&#34;&gt;&lt;script&gt;"' in page.text, page.text
forged = link[:-2] + ("A" if link[-2] != "A" else "B") + link[-1]
unsigned = "/leave?target=https://evil.example/"
for refused in [forged, unsigned, hidden, "/leave"]:
    response = client.get(refused)
    assert (response.status_code, response.headers["Location"]) == (302, "/"), refused

now = block_1.signer.make_signer().get_timestamp()
later = type(block_1.signer.make_signer())
later.get_timestamp = lambda _: now + 24 * 60 * 60 + 2
assert client.get(link).status_code == 302, "A link holds for a day."
