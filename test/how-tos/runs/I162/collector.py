"""Sends requests to the controller: all of them arrive without the rules, and only reading ones with them."""
import socket
import sys
import time
from concurrent.futures import ThreadPoolExecutor

GUARDED = sys.argv[1] == "guarded"
CONTROLLER, UNLISTED = "10.20.0.11", "10.20.0.13"


def frame(function, body=b"\0\0\0\1"):
    return b"\0\1\0\0" + (len(body) + 2).to_bytes(2) + b"\1" + bytes([function]) + body


def answered(*segments, source="10.10.0.5", target=CONTROLLER, port=502):
    """Whether the controller answers each of the frames."""
    expected = 9
    try:
        with socket.create_connection((target, port), timeout=3, source_address=(source, 0)) as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for number, segment in enumerate(segments):
                if number:
                    time.sleep(0.2)
                connection.sendall(segment)
            while expected > 0 and (chunk := connection.recv(100)):
                expected -= len(chunk)
    except OSError:
        pass
    return expected <= 0


def time_answers():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.settimeout(3)
        client.sendto(b"?", (CONTROLLER, 123))
        try:
            return client.recv(10) == b"time"
        except OSError:
            return False


for function in (1, 2, 3, 4):
    assert answered(frame(function)), f"Reading with function {function} fails."
assert answered(frame(3)) and answered(frame(3)), "A second connection fails."
requests = {
    "write one coil": lambda: answered(frame(5)),
    "write one register": lambda: answered(frame(6)),
    "write registers": lambda: answered(frame(16, b"\0\0\0\1\2\0\7")),
    "function 43": lambda: answered(frame(43, b"\x0e\1\0")),
    "function 43 with the length of a read": lambda: answered(frame(43)),
    "a write in front of a read": lambda: answered(frame(6) + frame(3)),
    "a write behind a read": lambda: answered(frame(3) + frame(6)),
    "a write in two segments": lambda: answered(frame(6)[:7], frame(6)[7:]),
    "a write behind the start of a read": lambda: answered(frame(3)[:4], frame(6)[4:]),
    "a shorter frame in front of another one": lambda: answered(frame(3, b"") + b"\0\1\0\0"),
    "another host": lambda: answered(frame(3), source="10.10.0.6"),
    "another controller": lambda: answered(frame(3), target=UNLISTED),
    "the port for programs": lambda: answered(frame(3), port=102),
    "the time": time_answers,
}
with ThreadPoolExecutor(len(requests)) as pool:
    refused = dict(zip(requests, pool.map(lambda request: request(), requests.values())))
wrong = [name for name, works in refused.items() if works == GUARDED]
assert not wrong, f"{'got through' if GUARDED else 'failed without the rules'}: {wrong}"
