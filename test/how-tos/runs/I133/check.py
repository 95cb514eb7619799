"""Runs the tests of a small application that leaks, and of one that does not. Debian: python3-pytest-xdist."""
import os
import subprocess
import sys
from pathlib import Path

from support.needs import needs

needs(pytest="8", httpx="0.28", **{"pytest-xdist": "3"})

Path("shop_fixtures.py").write_text('''
import json
import os
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

RUN = os.environ["TEST_RUN_ID"]


class Shop(BaseHTTPRequestHandler):
    def do_GET(self):
        tenant = self.headers["Authorization"].removeprefix("Bearer ")
        seen = ["north", "south"] if os.environ.get("LEAK") == self.path else [tenant]
        body = json.dumps({"path": self.path, "rows": [f"mark-{t}-{RUN}" for t in seen]}).encode()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="session")
def base_url():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Shop)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


@pytest.fixture
def token_for():
    return lambda tenant: tenant
''', encoding="utf-8")
Path("test_shop.py").write_text('''
import pytest
from conftest import MARKERS


@pytest.mark.parametrize("tenant", ["north", "south"])
def test_list(client_for, tenant):
    assert MARKERS[tenant] in client_for(tenant).get("/v1/orders").text


@pytest.mark.parametrize("tenant", ["north", "south"])
def test_one(client_for, tenant):
    client_for(tenant).get("/v1/orders/7")


def test_export(client_for):
    client_for("north").get("/v1/orders/export")
''', encoding="utf-8")
Path("openapi.json").write_text(
    '{"servers": [{"url": "https://api.example.com/v1"}], "paths": {"/orders": {"get": {}, "parameters": []}, '
    '"/orders/{id}": {"get": {}}, "/orders/export": {"get": {}}}}', encoding="utf-8")
runs = 0


def test(*words, leak=""):
    global runs
    runs += 1
    environment = {**os.environ, "TEST_RUN_ID": f"r{runs}", "LEAK": leak}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "shop_fixtures", "-p", "no:cacheprovider", *words]
    tests = subprocess.run(command, capture_output=True, text=True, env=environment)
    missed = subprocess.run([sys.executable, "block_2.py"], capture_output=True, text=True, env=environment)
    return tests, missed


tests, missed = test()
assert tests.returncode == 0 and (missed.returncode, missed.stdout.strip()) == (0, ""), tests.stdout + missed.stdout
tests, missed = test("-n", "4")
assert tests.returncode == 0 and missed.returncode == 0, tests.stdout
for leak in ["/v1/orders", "/v1/orders/7", "/v1/orders/export"]:
    tests, _ = test(leak=leak)
    assert tests.returncode == 1 and f"{leak} shows" in tests.stdout, tests.stdout
for word, operation in [("test_export", "GET /orders/export"), ("test_one", "GET /orders/{id}")]:
    tests, missed = test("-k", f"not {word}")
    assert tests.returncode == 0 and (missed.returncode, missed.stdout.strip()) == (1, operation), missed.stdout
