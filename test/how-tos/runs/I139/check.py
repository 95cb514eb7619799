"""Calls the tool as a model could, which follows instructions of an attacker."""
import json
from types import SimpleNamespace

from support.needs import needs

needs(pydantic="2")

from block_1 import dispatch
from shop.audit import log
from shop.refunds import executed


def task(kind="support", spent_cents=0):
    user = SimpleNamespace(tenant_id="north", assigned_customers={"ann"})
    return SimpleNamespace(kind=kind, user=user, spent_cents=spent_cents)


def arguments(**changes):
    return json.dumps({"order_id": "ord_abcdefghijkl", "amount_cents": 500, **changes})


first = task()
assert dispatch(first, "refund_order", arguments()) == "done"
assert executed == [("north", "ord_abcdefghijkl", 500)] and log[-1][0] == "accepted" and first.spent_cents == 500
assert dispatch(task(), "refund_order", arguments(amount_cents=5_000)) == "done"

refusals = [
    (task(), "refund_order", arguments(customer_id="ann")),
    (task(), "refund_order", arguments(amount_cents=-1)),
    (task(), "refund_order", arguments(amount_cents=0)),
    (task(), "refund_order", arguments(amount_cents=5_001)),
    (task(), "refund_order", arguments(amount_cents="500")),
    (task(), "refund_order", arguments(order_id="ord_dddddddddddd")),
    (task(), "refund_order", arguments(order_id="ord_bbbbbbbbbbbb")),
    (task(), "refund_order", arguments(order_id="ord_cccccccccccc")),
    (task(), "refund_order", arguments(order_id="ord_abcdefghijkl' OR 1=1")),
    (task(), "refund_order", "[]"),
    (task(), "refund_order", "not JSON"),
    (task(), "delete_order", arguments()),
    (task(), "__class__", arguments()),
    (task("sales"), "refund_order", arguments()),
]
for call in refusals:
    before, entries = list(executed), len(log)
    try:
        dispatch(*call)
    except (PermissionError, ValueError):
        assert executed == before and len(log) == entries + 1 and log[-1][:2] == ("refused", call[1]), call
        assert call[0].spent_cents == 0
        continue
    raise AssertionError(f"{call[1:]} was executed.")

spending = task()
for _ in range(2):
    dispatch(spending, "refund_order", arguments(amount_cents=4_000))
try:
    dispatch(spending, "refund_order", arguments(amount_cents=4_000))
    raise AssertionError("A third refund was executed.")
except PermissionError:
    assert spending.spent_cents == 8_000 and log[-1][0] == "refused"
