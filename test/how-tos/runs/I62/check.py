import re
import sys

sys.path.insert(0, ".")
from block_1 import CodeChallenge, matches, new_code, new_token

pairs = [new_token() for _ in range(1_000)]
assert len({token for token, _ in pairs}) == 1_000
for token, stored in pairs[:20]:
    assert re.fullmatch(r"shop_pat_[\w-]{43}", token) and token not in stored
    assert matches(token, stored) and not matches(token + "x", stored) and not matches(stored, stored)
codes = [new_code() for _ in range(1_000)]
assert all(re.fullmatch(r"\d{8}", code) for code in codes) and len(set(codes)) > 990

assert CodeChallenge("01234567", 0).accepts("01234567", 599)
assert not CodeChallenge("01234567", 0).accepts("01234567", 600)
once = CodeChallenge("01234567", 0)
assert once.accepts("01234567", 1) and not once.accepts("01234567", 2)
guessed = CodeChallenge("01234567", 0)
assert not any(guessed.accepts(f"{n:08d}", 1) for n in range(5))
assert not guessed.accepts("01234567", 1)
fifth = CodeChallenge("01234567", 0)
assert not any(fifth.accepts(f"{n:08d}", 1) for n in range(4)) and fifth.accepts("01234567", 1)
