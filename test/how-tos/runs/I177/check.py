"""Gives the template expressions of many template languages as values."""
from types import SimpleNamespace

from support.needs import needs

needs(Jinja2="3.1")

from jinja2 import TemplateNotFound, UndefinedError

from block_1 import environment, order_mail


def mail(name, *lines):
    return order_mail(SimpleNamespace(customer_name=name, lines=lines)).replace("\n", "")


assert mail("Ann", "Tea") == '<p title="Ann">Ann</p><li>Tea</li>'
for hostile in ["{{7*7}}", "${7*7}", "<%= 7*7 %>", "#{7*7}", "{% raw %}{{7*7}}", "{{config}}"]:
    page = mail(hostile, hostile)
    shown = hostile.replace("<", "&lt;").replace(">", "&gt;")
    assert "49" not in page and page.count(shown) == 3, page
page = mail('"><script>alert(1)</script>', "<img src=x onerror=alert(1)>")
assert "<script>" not in page and "<img" not in page and page.count('"') == 2, page

for name in ["../shop/__init__.py", "/etc/passwd", "../../etc/passwd", "missing.html"]:
    try:
        environment.get_template(name)
    except TemplateNotFound:
        continue
    raise AssertionError(f"{name} was read.")
try:
    environment.get_template("order_mail.html").render(lines=[])
    raise AssertionError("A missing value was shown as nothing.")
except UndefinedError:
    pass
