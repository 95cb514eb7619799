"""Gives the patterns long texts that make a backtracking engine slow. Debian: python3-re2, python3-regex."""
import importlib.util

from support.needs import needs

needs(regex="0.1")
if importlib.util.find_spec("re2") is None:
    needs(**{"google-re2": "1.1"})

import re2

from block_1 import find_dates, is_name, regex, test_patterns_stay_linear

for name in ["Ann", "Jürgen von der Au", "Anna-Lena St. John", "a" * 100]:
    assert is_name(name), name
for name in ["", "a" * 101, "a" * 400_000, "Ann!", "Ann\nBob", "<b>"]:
    assert not is_name(name), name
assert find_dates("am 1.2.2026 und 31.12.2027") == ["1.2.2026", "31.12.2027"] and find_dates("1.2.26") == []
assert find_dates("x" * 400_000 + " 1.2.2026") == [], "Longer texts are cut."

# Other programs disturb the measurement; a pattern that is not linear fails each time.
for attempt in range(20):
    try:
        test_patterns_stay_linear()
        break
    except AssertionError:
        if attempt == 19:
            raise
try:
    regex.search(r"(.*)=(.*)=(.*)=(.*)=(.*);", "=" * 3_000, timeout=0.2)
    raise AssertionError("The pattern did not run out of time.")
except TimeoutError:
    pass
for pattern in [r"(a)\1", r"(?=a)b", r"(?<!a)b"]:
    try:
        re2.compile(pattern)
    except re2.error:
        continue
    raise AssertionError(f"{pattern} was compiled.")
