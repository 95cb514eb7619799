"""Starts a PostgreSQL server of its own for a check in Python. Debian: postgresql-17."""
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as opened:
        return opened.getsockname()[1]


@contextmanager
def postgres(*options: str, certificate: str | None = None):
    """Gives the port of a server whose users need no password. `certificate` has the key in `<name>.key`."""
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not programs or (os.getuid() == 0 and not shutil.which("runuser")):
        print("PostgreSQL is missing", file=sys.stderr)
        sys.exit(77)
    # The server refuses to run as root.
    own = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
    with tempfile.TemporaryDirectory(prefix="how-to-postgres-", ignore_cleanup_errors=True) as folder:
        if own:
            shutil.chown(folder, "postgres")
        data, port = f"{folder}/data", free_port()

        def run(program, *words):
            subprocess.run([*own, programs[-1].with_name(program), "-D", data, *words], check=True, cwd=folder,
                stdout=subprocess.DEVNULL)

        run("initdb", "-A", "trust", "-N", "-U", "postgres")
        settings = ["listen_addresses=127.0.0.1", "dynamic_shared_memory_type=mmap", f"unix_socket_directories={folder}",
            *options]
        if certificate:
            for name in (f"{certificate}.pem", f"{certificate}.key"):
                copied = shutil.copy(name, folder)
                os.chmod(copied, 0o600)
                if own:
                    shutil.chown(copied, "postgres")
            settings += ["ssl=on", f"ssl_cert_file={folder}/{certificate}.pem", f"ssl_key_file={folder}/{certificate}.key"]
        words = " ".join(f"-c {setting}" for setting in settings)
        run("pg_ctl", "-w", "-l", f"{folder}/log", "-o", f"-p {port} {words}", "start")
        try:
            yield port
        finally:
            run("pg_ctl", "-m", "immediate", "-w", "stop")
