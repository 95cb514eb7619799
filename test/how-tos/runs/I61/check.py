"""Converts PDF files, and records each program that is started. Debian: poppler-utils, util-linux."""
import os
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

from support.needs import needs

needs("pdftotext", "prlimit")

import block_1

assert block_1.FOLDER == Path("/srv/convert")
block_1.FOLDER = Path(tempfile.mkdtemp(dir="."))
NAME = "0123456789abcdef" * 2
started = []
sys.addaudithook(lambda event, details: started.append(details[1]) if event == "subprocess.Popen" else None)


def pdf(name, content, pages=1):
    packed = zlib.compress(content, 9)
    kids = b" ".join(b"%d 0 R" % (number + 5) for number in range(pages))
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9000 9000]/Contents 3 0 R/Resources<</Font<</F 4 0 R>>>>>>"
    parts = [
        b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, pages),
        b"<</Filter/FlateDecode/Length %d>>stream\n%s\nendstream" % (len(packed), packed),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>", *[page] * pages,
    ]
    document, places = b"%PDF-1.4\n", []
    for number, part in enumerate(parts, 1):
        places.append(len(document))
        document += b"%d 0 obj%s endobj\n" % (number, part)
    table, size = len(document), len(parts) + 1
    document += b"xref\n0 %d\n0000000000 65535 f \n" % size + b"".join(b"%010d 00000 n \n" % place for place in places)
    document += b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (size, table)
    (block_1.FOLDER / f"{name}.pdf").write_bytes(document)


pdf(NAME, b"BT /F 12 Tf 10 8000 Td (Invoice 4711) Tj ET")
os.environ["SECRET"] = "hunter2"
assert block_1.pdf_to_text(NAME).strip() == "Invoice 4711"
assert len(started) == 1 and started[0].count("/usr/bin/pdftotext") == 1, started

for name in ["-help", ";id", f"{NAME}\n", "$(id)", "../" + NAME, NAME[:-1], NAME.upper(), "", f"{NAME};id", "`id`"]:
    try:
        block_1.pdf_to_text(name)
    except ValueError:
        assert len(started) == 1, started
        continue
    raise AssertionError(f"{name!r} was converted.")

# The limit of 50 MB takes long to reach: below, the program has it, and here it has one of 100 kB.
lines = b"".join(b"1 0 0 1 10 %d Tm (%s) Tj\n" % (8980 - 12 * n, b"ab " * 300) for n in range(200))
pdf("f" * 32, b"BT /F 12 Tf " + lines + b"ET", pages=2)
assert len(block_1.pdf_to_text("f" * 32)) > 300_000
published = block_1.LIMITS
block_1.LIMITS = [limit.replace("52428800", "100000") for limit in published]
try:
    block_1.pdf_to_text("f" * 32)
    raise AssertionError("A document with more text than the limit was converted.")
except subprocess.CalledProcessError:
    assert (block_1.FOLDER / ("f" * 32 + ".txt")).stat().st_size <= 100_000
block_1.LIMITS = published

# What the program gets: its limits and its environment.
Path("show.sh").write_text("#!/bin/sh\nulimit -v; ulimit -t; ulimit -f; env\n", encoding="utf-8")
os.chmod("show.sh", 0o755)
run = subprocess.run


def shown(command, **options):
    command = [*command[: command.index("/usr/bin/pdftotext")], os.path.abspath("show.sh"), *command[-3:]]
    return run(command, **{**options, "stdout": open("shown.txt", "w", encoding="utf-8")})


subprocess.run = shown
block_1.pdf_to_text(NAME)
seen = Path("shown.txt").read_text(encoding="utf-8").split("\n")
assert seen[:3] == ["524288", "20", "102400"], seen
assert {line.split("=")[0] for line in seen[3:] if line} <= {"PATH", "LANG", "PWD", "OLDPWD", "_", "SHLVL"}, seen
