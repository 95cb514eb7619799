"""Answers Requests as the range API does, and keeps what was sent: the check has no network."""
import hashlib

import requests
from requests.adapters import HTTPAdapter

sent = []
answer = {"status": 200}


def send(_adapter, request, **options):
    sent.append((request.url, request.headers.get("Add-Padding"), options["timeout"]))
    known = hashlib.sha1(b"correct horse battery").hexdigest().upper()
    padded = hashlib.sha1(b"a padded pass phrase").hexdigest().upper()
    prefix = request.url.rsplit("/", 1)[1]
    rows = [f"{digest[5:]}:{n}" for digest, n in ((known, 42), (padded, 0)) if digest.startswith(prefix)]
    response = requests.Response()
    response.status_code, response.request, response.url = answer["status"], request, request.url
    response._content = "\r\n".join(["0" * 35 + ":3", *rows]).encode()
    response.encoding = "utf-8"
    return response


HTTPAdapter.send = send
