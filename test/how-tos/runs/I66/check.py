"""Lets a model answer what its interface allows, and looks at what the application takes from it."""
import json

from support.needs import needs

needs(pydantic="2")

from block_1 import Rejected, classify

GOOD = {
    "category": "billing", "summary": "A bill", "order_id": "12", "image": "https://images.example.com/a.png",
}


class Stub:
    def __init__(self, *answers):
        self.answers = list(answers)
        self.calls = []

    def complete(self, system, user, schema):
        self.calls.append((system, user, schema))
        return self.answers.pop(0)


class Orders:
    asked = []

    def belongs_to(self, order_id, customer_id):
        self.asked.append((order_id, customer_id))
        return (order_id, customer_id) == ("12", "ann")


def text(**changes):
    return json.dumps({**GOOD, **changes})


model = Stub(text())
ticket = classify(model, Orders(), "The mail", "ann")
assert json.loads(ticket.model_dump_json()) == GOOD
assert len(model.calls) == 1 and model.calls[0][1] == "The mail" and "The mail" not in model.calls[0][0]
assert classify(Stub("{", text()), Orders(), "", "ann").category == "billing", "one retry"
assert classify(Stub(text(order_id=None, image=None)), Orders(), "", "bob").order_id is None
hostile = "<script>alert(1)</script>"
assert classify(Stub(text(summary=hostile)), Orders(), "", "ann").summary == hostile

for answer in [
    '{"category": "admin"}', text(category="admin"), text(role="admin"), text(image="https://evil.test/a.png"),
    text(image="https://images.example.com/a.png?d=secret"), text(image="http://images.example.com/a.png"),
    text(image="https://images.example.com.evil.test/a.png"), text(image="https://images.example.com@evil.test/a.png"),
    text(order_id="13"), text(order_id="12 OR 1=1"), text(order_id="12\n"), text(order_id=12),
    text(summary="a" * 10_000), text()[:-1], "", "null",
]:
    model = Stub(answer, answer, text())
    try:
        accepted = classify(model, Orders(), "The mail", "ann")
    except Rejected as refusal:
        assert len(model.calls) <= 2 and "evil" not in str(refusal)
        continue
    raise AssertionError(f"{answer} led to {accepted}")
try:
    classify(Stub(text()), Orders(), "The mail", "bob")
    raise AssertionError("The order of another customer was accepted.")
except Rejected:
    pass
