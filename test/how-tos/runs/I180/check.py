"""Calls the test of the how-to, and reads documents from outside."""
from pathlib import Path

from support.needs import needs

needs(lxml="5")

from lxml import etree

from block_1 import role_of, test_names_are_values

test_names_are_values()
users = b'<users><user name="ann" role="admin"/><user name="eve" role="guest"/></users>'
assert role_of(users, "eve") == "guest" and role_of(users, "nobody") is None
for hostile in ["eve' or @name='ann", "eve\"] | //user[@name=\"ann", "$name", "", "concat('a','nn')"]:
    assert role_of(users, hostile) is None, hostile

Path("secret.txt").write_text("admin", encoding="utf-8")
secret = Path("secret.txt").absolute().as_uri()
document = f"<!DOCTYPE u [<!ENTITY e SYSTEM '{secret}'>]><users><user name='eve' role='guest'>&e;</user></users>"
assert role_of(document.encode(), "eve") == "guest"
from block_1 import PARSER

assert "admin" not in "".join(etree.fromstring(document.encode(), PARSER).itertext())
