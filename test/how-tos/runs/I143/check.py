import sys

sys.path.insert(0, ".")
import requests
from block_1 import prepared, problems

assert problems("correct horse battery", False) == ["This password is known from a data breach."]
assert problems("a padded pass phrase", False) == []
assert problems("an unknown pass phrase", False) == []
for url, headers, timeout in requests.sent:
    prefix = url.removeprefix("https://api.pwnedpasswords.com/range/")
    assert len(prefix) == 5 and headers == {"Add-Padding": "true"} and timeout, url
requests.sent.clear()
assert problems("fourteen chars", False) == ["Use 15 to 128 characters."]
assert problems("seven c", True) == ["Use 8 to 128 characters."]
assert problems("x" * 129, True) == ["Use 8 to 128 characters."]
assert problems("with a\0null character", False) == ["Use no control characters."]
assert requests.sent == []
assert prepared("cafe\u0301") == "caf\u00e9"
assert problems("eight ch", True) == []
requests.status = 503
try:
    problems("an unknown pass phrase", False)
except OSError:
    pass
else:
    raise AssertionError("An outage was taken for a good password.")
