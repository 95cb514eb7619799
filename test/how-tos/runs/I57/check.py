"""Posts fields that the input model does not name, and looks for fields that the output must not have."""
import sys

from support.needs import needs

needs(fastapi="0.137.2", pydantic="2", httpx="0")
sys.path.append("support")  # It has the module that the how-to imports from another one.

from fastapi import APIRouter
from fastapi.testclient import TestClient

import block_1
from block_1 import app, test_every_route_has_a_response_model

saved = []
Order = block_1.Order


def recorded(**fields):
    saved.append(fields)
    return Order(**fields)


block_1.Order = recorded
client = TestClient(app)
signed_in = {"Authorization": "Bearer orders"}


def post(**fields):
    return client.post("/orders", json={"title": "Tea", "quantity": 2, **fields}, headers=signed_in)


response = post()
assert response.status_code == 201 and response.json().keys() == {"id", "title"}, response.text
assert saved == [{"owner": "ann", "title": "Tea", "quantity": 2}]
assert client.post("/orders", json={"title": "Tea", "quantity": 2}).status_code == 401
for fields in [
    {"owner": "eve"}, {"margin_cents": 1}, {"id": "0b7e0cfe-4b1a-4bb9-9a9e-000000000000"}, {"Owner": "eve"},
    {"__class__": "x"}, {"quantity": "2"}, {"quantity": 2.5}, {"quantity": True}, {"quantity": 0}, {"quantity": 1001},
    {"title": ""}, {"title": "   "}, {"title": "a" * 201}, {"title": 1}, {"title": None},
]:
    refused = post(**fields)
    assert refused.status_code == 422, f"{fields}: {refused.status_code}"
assert len(saved) == 1

test_every_route_has_a_response_model()
for response_model in [None, dict, list[dict], Order]:
    router = APIRouter()
    router.add_api_route("/leaks", lambda: None, response_model=response_model)
    before = list(app.router.routes)
    app.include_router(router)
    try:
        test_every_route_has_a_response_model()
    except AssertionError as error:
        assert "/leaks" in str(error)
    else:
        raise AssertionError(f"The test did not find {response_model}.")
    app.router.routes[:] = before
test_every_route_has_a_response_model()
