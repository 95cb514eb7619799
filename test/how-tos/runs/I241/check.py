"""Lets routes, jobs, threads, tasks and commands fail. Debian: python3-fastapi, python3-httpx."""
import asyncio
import logging
import subprocess
import sys
import threading

from support.needs import needs

needs(fastapi="0.110", starlette="0.40", httpx="0")

from fastapi.testclient import TestClient
from pydantic import BaseModel

import block_1
from block_1 import app, guarded, watch_tasks

entries = []


class Collect(logging.Handler):
    def emit(self, entry):
        entries.append(entry)


logging.getLogger("shop.errors").addHandler(Collect())
logging.getLogger("shop.errors").propagate = False


class Item(BaseModel):
    quantity: int


@app.get("/fails")
def fails():
    raise RuntimeError("password=hunter2")


@app.get("/works")
def works():
    return "ok"


@app.post("/items")
def create(item: Item):
    return item


sys.excepthook = sys.__excepthook__  # for this check
client = TestClient(app, raise_server_exceptions=False)
response = client.get("/fails")
assert response.status_code == 500 and "hunter2" not in response.text + str(response.headers), response.text
[entry] = entries
assert response.json() == {"error": "Something went wrong.", "reference": entry.args[0]}, response.text
assert entry.exc_info[0] is RuntimeError and entry.exc_info[2] is not None and entry.where == "/fails"
assert client.get("/works").status_code == 200 and client.get("/missing").status_code == 404
assert client.post("/items", json={"quantity": 2}).status_code == 200

for body in ['{"quantity": "hunter2"}', '{"hunter2', '["hunter2"]', '{"quantity": {"hunter2": 1}}']:
    refused = client.post("/items", content=body, headers={"Content-Type": "application/json"})
    assert refused.status_code == 422 and "hunter2" not in refused.text, refused.text
assert client.post("/items", json={}).json()["errors"] == [{"field": "body.quantity", "message": "Field required"}]

entries.clear()
processed = []


def work(message):
    if message == "bad":
        raise ValueError(message)
    processed.append(message)


assert [guarded("mails", lambda m=m: work(m)) for m in ("a", "bad", "b")] == [True, False, True]
assert processed == ["a", "b"] and [e.where for e in entries] == ["mails"]

entries.clear()
thread = threading.Thread(target=work, args=["bad"])
thread.start()
thread.join()
assert [(e.where, e.exc_info[0]) for e in entries] == [("thread", ValueError)]

entries.clear()


async def loop():
    watch_tasks()

    async def task():
        work("bad")

    started = asyncio.get_running_loop().create_task(task())
    await asyncio.wait([started])
    del started
    import gc

    gc.collect()
    asyncio.get_running_loop().call_exception_handler({"message": "without an exception"})


asyncio.run(loop())
assert [(e.where, e.exc_info[0]) for e in entries] == [("task", ValueError), ("task", RuntimeError)], entries

command = subprocess.run(
    [sys.executable, "-c", "import logging; logging.basicConfig(); import block_1; raise ValueError('bad')"],
    capture_output=True, text=True)
assert command.returncode == 1 and command.stderr.count("unexpected error") == 1, command.stderr
assert "ValueError: bad" in command.stderr
