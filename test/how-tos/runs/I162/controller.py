"""A controller that answers Modbus requests, and shows what reached it to whoever connects to port 9999 of it."""
import socket
import threading

values = {"written": 0, "datagrams": 0}


def answer(connection):
    data = b""
    with connection:
        while chunk := connection.recv(1024):
            data += chunk
            while len(data) >= 6 and len(data) >= (size := 6 + int.from_bytes(data[4:6])):
                if data[7] in (5, 6, 15, 16):
                    values["written"] += 1
                connection.sendall(data[:4] + b"\0\x03" + data[6:8] + b"\0")
                data = data[size:]


def serve(port):
    server = socket.create_server(("0.0.0.0", port))
    while True:
        threading.Thread(target=answer, args=[server.accept()[0]], daemon=True).start()


def clock():
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind(("0.0.0.0", 123))
    while True:
        _, sender = server.recvfrom(100)
        server.sendto(b"time", sender)


for work, arguments in [(serve, [502]), (serve, [102]), (clock, [])]:
    threading.Thread(target=work, args=arguments, daemon=True).start()
print("ready", flush=True)
threading.Event().wait()
