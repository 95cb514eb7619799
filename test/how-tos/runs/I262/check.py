import os
import sys
import tempfile

sys.path.insert(0, ".")
from block_1 import Folder, NoSuchFile

with tempfile.TemporaryDirectory() as base, tempfile.TemporaryDirectory() as outside:
    for folder in (base, outside):
        with open(os.path.join(folder, "a.txt"), "w", encoding="utf-8") as file:
            file.write("content")
    os.mkdir(os.path.join(base, "sub"))
    os.symlink(os.path.join(outside, "a.txt"), os.path.join(base, "link"))
    os.symlink("a.txt", os.path.join(base, "inner"))
    os.mkfifo(os.path.join(base, "pipe"))

    with Folder(base).open("a.txt") as file:
        assert file.read() == b"content"
    names = ["../a.txt", "/etc/passwd", "..", ".hidden", "a/b", "a\\b", "%2e%2e%2fa", "", "a\0.txt", "a" * 65]
    for name in [*names, "sub", "link", "inner", "pipe", "missing"]:
        try:
            Folder(base).open(name)
        except NoSuchFile:
            continue
        raise AssertionError(f"{name!r} was opened")
