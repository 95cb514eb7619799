"""Blocks of how-tos that hold several files, each after a comment with its name."""
import re
from pathlib import Path


def split(block: str) -> None:
    """Writes the files of a block, and an empty `__init__.py` into each of their folders."""
    text = Path(block).read_text(encoding="utf-8")
    Path(block).unlink()
    parts = re.split(r"^# ([\w/]+\.py)(?:[,;].*)?\n", text, flags=re.MULTILINE)
    for name, content in zip(parts[1::2], parts[2::2], strict=True):
        file = Path(name)
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.parent != Path("."):
            (file.parent / "__init__.py").touch()
        with file.open("a", encoding="utf-8") as opened:
            opened.write(content)
