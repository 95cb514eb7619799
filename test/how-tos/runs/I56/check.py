"""Calls the routes with and without the permission, and registers routes that declare none."""
import sys

from support.needs import needs

needs(fastapi="0.137.2", httpx="0")
sys.path.append("support")  # It has the module that the how-to imports from another one.

from fastapi import APIRouter, Depends
from fastapi.testclient import TestClient

import block_1
from block_1 import app, test_every_route_is_closed

client = TestClient(app)


def status(path, scopes=None, method="GET"):
    headers = {} if scopes is None else {"Authorization": f"Bearer {scopes}"}
    return client.request(method, path, headers=headers, follow_redirects=True).status_code


assert status("/api/orders", "orders:read") == 200 and status("/healthz") == 200
for path in ["/api/orders", "/api/orders/", "/api/%6frders"]:
    for scopes in ["", "orders:write", "orders", "orders:read2"]:
        assert status(path, scopes) == 403, (path, scopes)
    assert status(path) == 401, path
for method in ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]:
    assert status("/api/orders", "orders:read", method) == 405, method
for path in ["/docs", "/redoc", "/openapi.json"]:
    assert status(path, "orders:read") == 404, path

test_every_route_is_closed()
for register in [app.get, block_1.api.get, app.post]:
    try:
        register("/forgotten")(lambda: "secret")
    except RuntimeError as error:
        assert "/forgotten declares no permission" in str(error)
        continue
    raise AssertionError("A route without a permission was registered.")
try:
    app.get("/identified", dependencies=[Depends(block_1.caller)])(lambda: "secret")
    raise AssertionError("A caller is not a permission.")
except RuntimeError:
    pass

forgotten = APIRouter(prefix="/open")
forgotten.get("/orders")(lambda: "secret")
app.include_router(forgotten)
try:
    test_every_route_is_closed()
except AssertionError as error:
    assert "/open/orders" in str(error)
else:
    raise AssertionError("The test did not find the router without route_class.")
