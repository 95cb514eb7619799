"""Sends valid and forged tokens to the route, with a key set that is served locally."""
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

from support.needs import needs

needs(fastapi="0.110", PyJWT="2.9", cryptography="1", httpx="0")

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from fastapi.testclient import TestClient

import tokens

ISSUER = "https://login.example.com"
key, other = (rsa.generate_private_key(65537, 2048) for _ in range(2))
public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(key.public_key()))


class Keys(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps({"keys": [{**public, "kid": "a", "use": "sig", "alg": "RS256"}]}).encode())

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Keys)
threading.Thread(target=server.serve_forever, daemon=True).start()
tokens.jwks = jwt.PyJWKClient(f"http://127.0.0.1:{server.server_port}/jwks.json", timeout=5)
client = TestClient(tokens.app)
now = int(time.time())
CLAIMS = {"exp": now + 60, "iss": ISSUER, "aud": "orders-api", "sub": "ann", "scope": "orders:read"}


def status(claims=None, signer=key, algorithm="RS256", **headers):
    token = jwt.encode(claims or CLAIMS, signer, algorithm, {"kid": "a", "typ": "at+jwt", **headers})
    return client.get("/me", headers={"Authorization": f"Bearer {token}"})


def without(name):
    return {claim: value for claim, value in CLAIMS.items() if claim != name}


accepted = status()
assert (accepted.status_code, accepted.json()) == (200, "ann"), accepted.text
assert status(typ="application/at+jwt").status_code == 200
assert status({**CLAIMS, "exp": now - 10}).status_code == 200, "30 seconds of leeway"

pem = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
# PyJWT refuses to sign with a public key, so that the attacker's token needs an HMAC of our own.
import base64
import hmac


def encoded(part):
    return base64.urlsafe_b64encode(part).rstrip(b"=")


signed = b".".join(
    encoded(json.dumps(part).encode()) for part in ({"alg": "HS256", "typ": "at+jwt", "kid": "a"}, CLAIMS)
)
confused = b".".join([signed, encoded(hmac.digest(pem, signed, "sha256"))]).decode()
own = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(other.public_key()))
refused = {
    "no token": client.get("/me"),
    "no bearer": client.get("/me", headers={"Authorization": "Basic YTpi"}),
    "alg none": status(signer=None, algorithm="none"),
    "HMAC with the public key": client.get("/me", headers={"Authorization": f"Bearer {confused}"}),
    "another key": status(signer=other),
    "key in the header": status(signer=other, jwk=own),
    "address of keys in the header": status(signer=other, jku="https://evil.example/jwks.json"),
    "unknown key id": status(kid="b"),
    "another algorithm": status(algorithm="RS512"),
    "issuer": status({**CLAIMS, "iss": "https://evil.example"}),
    "audience": status({**CLAIMS, "aud": "another-api"}),
    "expired": status({**CLAIMS, "exp": now - 60}),
    "ID token": status(typ="JWT"),
    "no scope": status(without("scope")),
    "no exp": status(without("exp")),
    "no iss": status(without("iss")),
    "no aud": status(without("aud")),
    "no sub": status(without("sub")),
}
for name, response in refused.items():
    assert response.status_code == 401, f"{name}: {response.status_code}"
    assert response.headers["www-authenticate"] == "Bearer" and response.text == refused["no token"].text, name
