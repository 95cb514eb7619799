"""Signs in, steps up, changes the password and signs out, and uses the old cookies afterward. Debian: redis-server."""
import os
import subprocess
import sys
import time
from pathlib import Path

from support.needs import needs
from support.postgres import free_port

needs("redis-server", Flask="3.1", redis="5", **{"Flask-Session": "0.8", "Flask-Login": "0.6", "Flask-WTF": "1.2"})

Path("shop").mkdir()
Path("shop/__init__.py").touch()
Path("shop/accounts.py").write_text('''
from dataclasses import dataclass

@dataclass
class Account:
    id: str
    password: str
    active: bool = True
    session_version: int = 1

class Accounts:
    def __init__(self):
        self.rows = {"ann": Account("ann", "first"), "bob": Account("bob", "other")}

    def find(self, account_id):
        return self.rows.get(account_id)

    def authenticate(self, email, password):
        account = self.rows.get(email.partition("@")[0])
        return account if account and account.password == password else None

    def check_password(self, account, password):
        return account.password == password

    def change_password(self, account, password):
        account.password = password
        account.session_version += 1
        return account
''', encoding="utf-8")
Path("templates").mkdir()
Path("templates/sign_in.html").write_text("sign in {{ csrf_token() }}", encoding="utf-8")
Path("templates/home.html").write_text(
    "home of {{ current_user.account.id if current_user.is_authenticated }} {{ csrf_token() }}", encoding="utf-8")
port = free_port()
server = subprocess.Popen(
    ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", ""], stdout=subprocess.DEVNULL)
os.environ.update(SECRET_KEY="a" * 40, REDIS_URL=f"redis://127.0.0.1:{port}")
sys.path.insert(0, ".")
try:
    import redis

    store = redis.Redis(port=port)
    for _ in range(200):
        try:
            store.ping()
            break
        except redis.ConnectionError:
            time.sleep(0.05)
    import block_1
    from block_1 import accounts, app

    NAME = "__Host-session"

    class Browser:
        def __init__(self, cookie=None):
            self.client = app.test_client()
            if cookie:
                self.client.set_cookie(NAME, cookie, domain="localhost", secure=True)

        @property
        def cookie(self):
            found = self.client.get_cookie(NAME, domain="localhost")
            return found and found.value

        def get(self, path="/"):
            return self.client.get(path, base_url="https://localhost")

        def name(self):
            return self.get().text.split()[2] if len(self.get().text.split()) == 4 else None

        def post(self, path, **fields):
            token = self.get("/sign-in").text.split()[-1]
            headers = {"Referer": "https://localhost/"}
            return self.client.post(
                path, data={"csrf_token": token, **fields}, base_url="https://localhost", headers=headers)

        def sign_in(self, name="ann", password="first"):
            return self.post("/sign-in", email=f"{name}@example.com", password=password)

    def keys():
        return {key.decode().removeprefix("session:") for key in store.keys("session:*")}

    def leads_to_sign_in(answer):
        return answer.status_code == 302 and answer.headers["Location"].startswith("/sign-in")

    def works_not(cookie):
        thief = Browser(cookie)
        assert thief.name() is None, "The old cookie still signs in."
        assert leads_to_sign_in(Browser(cookie).post("/step-up", password="first"))

    ann = Browser()
    first = ann.get("/sign-in")
    planted = ann.cookie
    attributes = {part.strip().lower() for part in first.headers["Set-Cookie"].split(";")[1:]}
    assert {"secure", "httponly", "samesite=lax", "path=/"} <= attributes, attributes
    assert not any(part.startswith("domain") for part in attributes)
    assert len(planted) >= 43
    assert ann.sign_in(password="wrong").status_code == 401 and ann.name() is None
    assert ann.sign_in().status_code == 302 and ann.name() == "ann"
    signed_in = ann.cookie
    assert signed_in != planted and planted not in keys() and signed_in in keys()
    works_not(planted)

    assert ann.post("/step-up", password="wrong").status_code == 401 and ann.cookie == signed_in
    assert ann.post("/step-up", password="first").status_code == 302
    stepped_up = ann.cookie
    assert stepped_up not in (planted, signed_in) and ann.name() == "ann"
    works_not(signed_in)

    elsewhere, bob = Browser(), Browser()
    elsewhere.sign_in()
    bob.sign_in("bob", "other")
    assert elsewhere.name() == "ann" and bob.name() == "bob"
    assert ann.post("/password", new_password="second").status_code == 302
    changed = ann.cookie
    assert changed != stepped_up and ann.name() == "ann"
    works_not(stepped_up)
    assert elsewhere.name() is None and leads_to_sign_in(elsewhere.post("/step-up", password="second"))
    assert bob.name() == "bob"

    assert ann.client.post("/sign-out", base_url="https://localhost").status_code == 400, "It needs the token."
    assert ann.name() == "ann"
    copied = ann.cookie
    assert ann.post("/sign-out").status_code == 302 and ann.name() is None
    assert copied not in keys()
    works_not(copied)

    assert ann.sign_in(password="second").status_code == 302 and ann.name() == "ann"
    accounts.rows["ann"].active = False
    assert ann.name() is None and leads_to_sign_in(ann.post("/step-up", password="second"))
    assert bob.name() == "bob"
    # A session that is not fresh may not change the password.
    with bob.client.session_transaction(base_url="https://localhost") as session:
        session["_fresh"] = False
    assert leads_to_sign_in(bob.post("/password", new_password="x")) and accounts.rows["bob"].password == "other"
    assert bob.post("/step-up", password="other").status_code == 302
    assert bob.post("/password", new_password="x").status_code == 302 and accounts.rows["bob"].password == "x"
    assert 0 < store.ttl(f"session:{bob.cookie}") <= 8 * 3600
finally:
    server.kill()
