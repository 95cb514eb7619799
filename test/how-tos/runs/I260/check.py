"""Compares inventories with the dates of a stand-in for endoflife.date, on 30 November 2026."""
import contextlib
import datetime
import io
import json
import runpy
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

from support.needs import needs

needs(requests="2", pyyaml="6")

import requests


class Day(datetime.date):
    @classmethod
    def today(cls):
        return cls(2026, 11, 30)


datetime.date = Day

# As the service publishes them: a release may have ended without a date.
RELEASES = {
    "nodejs/22": {"isEol": False, "eolFrom": "2027-04-30"},
    "nodejs/16": {"isEol": True, "eolFrom": "2023-09-11"},
    "postgresql/17": {"isEol": False, "eolFrom": "2029-11-08"},
    "debian/13": {"isEol": False, "eolFrom": "2028-08-09"},
    "rolling/1": {"isEol": False, "eolFrom": None},
    "forgotten/1": {"isEol": True, "eolFrom": None},
}
PATH = "/api/v1/products/"


class Api(BaseHTTPRequestHandler):
    def do_GET(self):
        product, _, release = self.path.removeprefix(PATH).partition("/releases/")
        result = RELEASES.get(f"{product}/{release}") if self.path.startswith(PATH) else None
        body = json.dumps({"schema_version": "1.2.0", "result": result}).encode()
        self.send_response(200 if result else 404)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Api)
threading.Thread(target=server.serve_forever, daemon=True).start()
get = requests.get


def get_here(url, timeout):
    assert url.startswith("https://endoflife.date/"), url
    assert timeout <= 10
    return get(url.replace("https://endoflife.date", f"http://127.0.0.1:{server.server_port}"), timeout=timeout)


requests.get = get_here
PUBLISHED = Path("platforms.yaml").read_text(encoding="utf-8")


def report(inventory):
    """The exit status of the job, and what it prints."""
    Path("platforms.yaml").write_text(inventory, encoding="utf-8")
    output = io.StringIO()
    try:
        with contextlib.redirect_stdout(output):
            runpy.run_path("end_of_life.py")
    except SystemExit as end:
        return end.code, output.getvalue().strip()
    raise AssertionError("The job has no exit status.")


def entry(product, release, **more):
    fields = {"product": product, "release": f"'{release}'", "owner": "test", **more}
    return "- { " + ", ".join(f"{name}: {value}" for name, value in fields.items()) + " }\n"


assert report(PUBLISHED) == (0, ""), report(PUBLISHED)
assert report(PUBLISHED + entry("nodejs", "16")) == (1, "nodejs 16 ends on 2023-09-11; owner: test")
assert report(PUBLISHED.replace(", replacement: 2027-02-01", "")) == (1, "nodejs 22 ends on 2027-04-30; owner: web team")

# A replacement must be planned before the end, and not in the past.
for day in ["2027-04-30", "2026-11-29"]:
    assert report(entry("nodejs", "22", replacement=Day.fromisoformat(day)))[0] == 1, day

# An exception needs a measure and a date that has not passed.
yesterday, tomorrow = Day(2026, 11, 29), Day(2026, 12, 1)
assert report(entry("nodejs", "16", isolated_by="network of its own", exception_until=yesterday))[0] == 1
assert report(entry("nodejs", "16", isolated_by="network of its own", exception_until=tomorrow)) == (0, "")
assert report(entry("nodejs", "16", exception_until=tomorrow))[0] == 1
assert report(entry("nodejs", "16", isolated_by="network of its own"))[0] == 1

# Without a date: a release that goes on passes, one that has ended does not.
assert report(entry("rolling", "1")) == (0, "")
assert report(entry("forgotten", "1")) == (1, "forgotten 1 ends on an earlier day; owner: test")

# A product that the service does not know ends the job with an error.
try:
    report(entry("unknown", "1"))
except requests.HTTPError:
    pass
else:
    raise AssertionError("An unknown product passed.")
