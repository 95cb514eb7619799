"""Logs hostile values, and serves a request with Uvicorn. Debian: python3-structlog, python3-uvicorn."""
import json
import subprocess
import sys
from pathlib import Path

from support.needs import needs

needs(structlog="25", uvicorn="0")

HOSTILE = "eve\n2026-11-23 INFO sign-in ok\r\x1b[31m<script>" + "a" * 10_000


def lines(more: str) -> list[dict]:
    Path("application.py").write_text("from block_1 import *\n" + more, encoding="utf-8")
    output = subprocess.run([sys.executable, "application.py"], capture_output=True, text=True, timeout=60)
    assert output.returncode == 0, output.stderr
    written = output.stdout.splitlines()
    assert "\x1b" not in output.stdout and "\r" not in output.stdout
    return [json.loads(line) for line in written[1:]]


def first() -> str:
    return subprocess.run([sys.executable, "block_1.py"], capture_output=True, text=True, check=True).stdout


printed = first()
assert printed.count("\n") == 1 and "eve\\n2026-11-23" in printed, printed
event = json.loads(printed)
assert event["event"] == "sign_in.refused" and event["account"].startswith("eve\n"), event
assert event["level"] == "warning" and event["timestamp"].endswith("Z")

entries = lines(f"""
HOSTILE = {HOSTILE!r}
log.warning("a", value=HOSTILE)
logging.getLogger("x").warning(HOSTILE)
logging.getLogger("x").warning("sign-in of %s", HOSTILE)
log.info("b", value="ordinary name")
password = "hunter2"
try:
    raise ValueError("broken\\nline")
except ValueError:
    log.exception("c")
    logging.getLogger("x").exception("d")
""")
assert len(entries) == 6, entries
assert entries[0]["value"] == HOSTILE[:500] + "…" and entries[1]["event"] == HOSTILE[:500] + "…"
assert len(entries[2]["event"]) == 501 and entries[3]["value"] == "ordinary name"
for failure in entries[4:]:
    assert failure["exception"][0]["exc_value"] == "broken\nline", failure
    assert "hunter2" not in json.dumps(failure), "Local variables can hold secrets."
for entry in entries:
    assert {"event", "level", "timestamp"} <= entry.keys(), entry

served = lines("""
import asyncio
import urllib.parse
import uvicorn

async def application(scope, receive, send):
    if scope["type"] != "http":
        return
    log.warning("sign_in.refused", account=urllib.parse.unquote(scope["query_string"].decode()))
    await send({"type": "http.response.start", "status": 401, "headers": []})
    await send({"type": "http.response.body", "body": b""})
    raise RuntimeError("after\\nthe response")

async def run():
    server = uvicorn.Server(uvicorn.Config(application, port=0, log_config=None, lifespan="off"))
    task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.05)
    port = server.servers[0].sockets[0].getsockname()[1]
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /sign-in?eve%0Aadmin HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n")
    await reader.read()
    server.should_exit = True
    await task

asyncio.run(run())
""")
assert [e["account"] for e in served if e["event"] == "sign_in.refused"] == ["eve\nadmin"], served
assert any("401" in e["event"] and "/sign-in" in e["event"] for e in served), "the access log"
assert any(e["level"] == "error" and "exception" in e for e in served), "the error log"
