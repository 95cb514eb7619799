"""Connects by HTTP, PostgreSQL and SMTP to servers whose certificates are right, wrong or old, and runs Ruff."""
import os
import shutil
import socket
import ssl
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingTCPServer

from support.certificates import authority, certificate
from support.needs import needs
from support.postgres import postgres

needs("openssl", "ruff", requests="2.32", psycopg="3.2")

import psycopg
import requests

import block_1

authority("internal")
authority("public")
EXPIRED = ("-not_before", "20200101000000Z", "-not_after", "20200201000000Z")
for name, *words in [
    ("right", "internal", "api.internal"), ("other", "public", "api.internal"), ("old", "internal", "api.internal", *EXPIRED),
    ("mail", "internal", "mail.internal"), ("mail-other", "public", "mail.internal"), ("mail-name", "internal", "api.internal"),
    ("mail-old", "internal", "mail.internal", *EXPIRED),
    ("db", "internal", "db.internal"), ("db-other", "public", "db.internal"), ("db-name", "internal", "api.internal"),
    ("db-old", "internal", "db.internal", *EXPIRED),
]:
    certificate(name, *words)
authority("self")
block_1.CA = str(Path("internal.pem").resolve())

# The names of the internal network are this machine; mail is on a port of the check.
resolve, ports = socket.getaddrinfo, {}
socket.getaddrinfo = lambda host, port, *more, **named: resolve(
    "127.0.0.1" if str(host).endswith(".internal") else host, ports.get(port, port), *more, **named)


def tls(name):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{name}.pem", f"{name}.key")
    return context


class Page(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *_):
        pass


class Https(HTTPServer):
    def handle_error(self, *_):
        pass


def https(name):
    server = Https(("127.0.0.1", 0), Page)
    server.socket = tls(name).wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_port


def outcome(host, name, session=None):
    try:
        answer = (session or block_1.internal_session()).get(f"https://{host}:{https(name)}/", timeout=5)
    except requests.exceptions.SSLError:
        return "refused"
    return answer.text


assert outcome("api.internal", "right") == "ok"
assert outcome("127.0.0.1", "right") == outcome("db.internal", "right") == "refused"
for name in ["other", "old", "self"]:
    assert outcome("api.internal", name) == "refused", name
os.environ["REQUESTS_CA_BUNDLE"] = os.environ["CURL_CA_BUNDLE"] = str(Path("public.pem").resolve())
assert outcome("api.internal", "other", requests.Session()) == "ok"
assert outcome("api.internal", "other") == "refused" and outcome("api.internal", "right") == "ok"
del os.environ["REQUESTS_CA_BUNDLE"], os.environ["CURL_CA_BUNDLE"]
for name in ["right", "old", "self"]:
    assert outcome("api.internal", name, requests.Session()) == "refused", name
assert block_1.context().minimum_version == ssl.TLSVersion.TLSv1_2


class Smtp(StreamRequestHandler):
    def handle(self):
        self.wfile.write(b"220 mail.internal\r\n")
        for line in self.rfile:
            if line.upper().startswith(b"EHLO"):
                self.wfile.write(b"250-mail.internal\r\n250 STARTTLS\r\n")
            elif line.upper().startswith(b"STARTTLS"):
                self.wfile.write(b"220 go\r\n")
                try:
                    tls(self.server.certificate).wrap_socket(self.connection, server_side=True)
                except (ssl.SSLError, OSError):
                    pass
                return


class Mail(ThreadingTCPServer):
    daemon_threads = True


def mail(name):
    with Mail(("127.0.0.1", 0), Smtp) as server:
        server.certificate = name
        ports[587] = server.server_address[1]
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            client = block_1.mail()
        except ssl.SSLError:
            return "refused"
        else:
            version = client.sock.version()
            client.close()
            return version
        finally:
            server.shutdown()


assert mail("mail") == "TLSv1.3"
for name in ["mail-other", "mail-name", "mail-old", "self"]:
    assert mail(name) == "refused", name

os.environ["PGHOSTADDR"] = "127.0.0.1"


def database(name):
    with postgres(certificate=name) as port:
        os.environ["PGPORT"] = str(port)
        with psycopg.connect(host="db.internal", dbname="postgres", user="postgres", autocommit=True) as administrator:
            administrator.execute("CREATE ROLE shop_app LOGIN")
            administrator.execute("CREATE DATABASE shop")
        try:
            with block_1.database("x") as connection:
                return connection.execute("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()").fetchone()[0]
        except psycopg.OperationalError as error:
            assert "certificate" in str(error), error
            return "refused"


assert database("db") is True
for name in ["db-other", "db-name", "db-old"]:
    assert database(name) == "refused", name

shutil.move("block_2.toml", "pyproject.toml")


def findings(code):
    Path("sample.py").write_text(code, encoding="utf-8")
    command = ["ruff", "check", "--no-cache", "--output-format=concise", "sample.py"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


assert "All checks passed" in findings(Path("block_1.py").read_text(encoding="utf-8"))
for rule, code in [
    ("S113", "import requests\nrequests.get('https://a.internal')\n"),
    ("S323", "import ssl\nssl._create_unverified_context()\n"),
    ("S501", "import requests\nrequests.get('https://a.internal', verify=False, timeout=5)\n"),
    ("S502", "import ssl\nssl.wrap_socket(ssl_version=ssl.PROTOCOL_SSLv3)\n"),
    ("S503", "import ssl\n\ndef connect(version=ssl.PROTOCOL_TLSv1):\n    return version\n"),
    ("S504", "import ssl\nssl.wrap_socket()\n"),
]:
    assert rule in findings(code), f"{rule}: {findings(code)}"
