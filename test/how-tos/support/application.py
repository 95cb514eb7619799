"""Answers every request with what arrived, or with the status that the credential deserves."""
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Echo(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        headers = {name.lower(): value for name, value in self.headers.items()}
        status = 200
        if self.path == "/missing":
            status = 404
        elif self.path == "/old-address":
            status = 301
        elif headers.get("authorization", "Bearer valid") != "Bearer valid":
            status = 401
        body = json.dumps({"path": self.path, "headers": headers}).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        if status == 301:
            self.send_header("Location", "/")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Echo).serve_forever()
