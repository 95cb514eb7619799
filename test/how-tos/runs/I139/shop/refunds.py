executed = []


def execute(call, user):
    executed.append((user.tenant_id, call.order_id, call.amount_cents))
    return "done"
