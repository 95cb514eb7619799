from types import SimpleNamespace


def order(customer_id, refundable_cents=9_000):
    return SimpleNamespace(customer_id=customer_id, refundable_cents=refundable_cents)


ORDERS = {
    "north": {
        "ord_abcdefghijkl": order("ann"),
        "ord_bbbbbbbbbbbb": order("bob"),
        "ord_cccccccccccc": order("ann", 100),
    },
    "south": {"ord_dddddddddddd": order("ann")},
}


def for_tenant(tenant_id):
    return ORDERS[tenant_id]
