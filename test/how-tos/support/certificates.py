"""Certificates for servers that a check starts: `<name>.pem` and `<name>.key` in the current folder."""
import subprocess


def authority(name: str) -> None:
    # Python 3.13 refuses an authority without a key usage.
    create(name, "-x509", "-days", "1", "-subj", f"/CN={name}", "-addext", "keyUsage=critical,keyCertSign,cRLSign")


def certificate(name: str, issuer: str, host: str, *validity: str) -> None:
    create(name, "-x509", "-CA", f"{issuer}.pem", "-CAkey", f"{issuer}.key", "-subj", f"/CN={host}",
        "-addext", f"subjectAltName=DNS:{host}", "-addext", "basicConstraints=critical,CA:FALSE",
        *(validity or ("-days", "1")))


def create(name: str, *words: str) -> None:
    subprocess.run(["openssl", "req", "-newkey", "rsa:2048", "-nodes", "-keyout", f"{name}.key", "-out", f"{name}.pem",
        *words], check=True, stderr=subprocess.DEVNULL)
