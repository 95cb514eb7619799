import importlib.util
import sys

if not importlib.util.find_spec("requests"):
    sys.exit(77)

sys.path.insert(0, ".")
import range_api
import requests
from block_1 import prepared, problems

assert problems("correct horse battery", False) == ["This password is known from a data breach."]
assert problems("a padded pass phrase", False) == []
assert problems("an unknown pass phrase", False) == []
for url, padding, timeout in range_api.sent:
    prefix = url.removeprefix("https://api.pwnedpasswords.com/range/")
    assert len(prefix) == 5 and padding == "true" and timeout, url
range_api.sent.clear()
assert problems("fourteen chars", False) == ["Use 15 to 128 characters."]
assert problems("seven c", True) == ["Use 8 to 128 characters."]
assert problems("x" * 129, True) == ["Use 8 to 128 characters."]
assert problems("with a\0null character", False) == ["Use no control characters."]
assert range_api.sent == []
assert prepared("cafe\u0301") == "caf\u00e9"
assert problems("eight ch", True) == []
range_api.answer["status"] = 503
try:
    problems("an unknown pass phrase", False)
except requests.HTTPError:
    pass
else:
    raise AssertionError("An outage was taken for a good password.")
