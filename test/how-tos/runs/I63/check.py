import io
import sys
import tarfile
import tempfile
from pathlib import Path

if sys.version_info < (3, 11, 4):
    sys.exit(77)

sys.path.insert(0, ".")
from block_1 import unpack_tar


def archive(folder, *members):
    source = Path(folder, "archive.tar")
    with tarfile.open(source, "w") as tar:
        for member in members:
            name, options = member if isinstance(member, tuple) else (member, {})
            info = tarfile.TarInfo(name)
            info.mode = 0o4777
            content = options.get("content", b"content")
            for key, value in options.items():
                if key != "content":
                    setattr(info, key, value)
            info.size = len(content) if info.type == tarfile.REGTYPE else 0
            tar.addfile(info, io.BytesIO(content) if info.size else None)
    return source


folder_entry = ("sub", {"type": tarfile.DIRTYPE})
with tempfile.TemporaryDirectory() as folder:
    target = Path(folder, "target")
    unpack_tar(archive(folder, "a.txt", folder_entry, "sub/b.txt"), target)
    assert (target / "sub/b.txt").read_bytes() == b"content"
    modes = {path.name: path.stat().st_mode & 0o7777 for path in [target, *target.rglob("*")]}
    assert modes == {"target": 0o750, "a.txt": 0o640, "sub": 0o750, "b.txt": 0o640}, modes

link = ("link", {"type": tarfile.SYMTYPE, "linkname": "/etc"})
hostile = {
    "outside": ["../a"],
    "absolute": ["/etc/a"],
    "backslash": ["a\\b"],
    "drive": ["C:/a"],
    "device": [("null", {"type": tarfile.CHRTYPE, "devmajor": 1, "devminor": 3})],
    "pipe": [("pipe", {"type": tarfile.FIFOTYPE})],
    "symbolic link": [link, "link/a"],
    "hard link": [("hard", {"type": tarfile.LNKTYPE, "linkname": "../a"})],
    "twice": ["a", "a"],
    "twice by a dot": ["a", "./a"],
    "case": ["a", "A"],
    "many": [(f"f{n}", {"content": b""}) for n in range(2_001)],
}
for reason, members in hostile.items():
    with tempfile.TemporaryDirectory() as folder:
        source = archive(folder, *members)
        try:
            unpack_tar(source, Path(folder, "target"))
        except (ValueError, tarfile.TarError):
            assert {path.name for path in Path(folder).iterdir()} == {"archive.tar", "target"}, reason
            continue
        raise AssertionError(reason)

with tempfile.TemporaryDirectory() as folder:
    source = Path(folder, "large.tar")
    # A header that announces a gigabyte is enough: the code has to refuse it before it reads.
    info = tarfile.TarInfo("zeros")
    info.size = 2**30
    source.write_bytes(info.tobuf() + b"\0" * 10_240)
    try:
        unpack_tar(source, Path(folder, "target"))
    except ValueError as error:
        assert "too large" in str(error)
    else:
        raise AssertionError("large")
    assert not list(Path(folder, "target").iterdir())
