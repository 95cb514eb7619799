# Publishes messages that succeed, fail, are invalid or too large to a broker of its own, and stops it in between.
# Debian: rabbitmq-server 4.0, python3-pika.
import collections
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import time

from support.needs import needs

# Debian's commands in the path change the user; these do not.
PROGRAMS = pathlib.Path("/usr/lib/rabbitmq/bin")
needs("epmd", str(PROGRAMS / "rabbitmq-server"), pika="1.0")
import pika  # noqa: E402

FOLDER = pathlib.Path.cwd()
(FOLDER / "home").mkdir()
os.rename("block_2.ini", "rabbitmq.conf")
(FOLDER / "plugins").write_text("[].\n")


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


PORT, DISTRIBUTION, NAMES = free_port(), free_port(), free_port()
ENVIRONMENT = {
    **os.environ,
    "HOME": str(FOLDER / "home"),
    "ERL_EPMD_PORT": str(NAMES),
    "RABBITMQ_NODENAME": "check@localhost",
    "RABBITMQ_NODE_PORT": str(PORT),
    "RABBITMQ_DIST_PORT": str(DISTRIBUTION),
    "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
    "RABBITMQ_CONF_ENV_FILE": str(FOLDER / "none"),
    "RABBITMQ_CONFIG_FILE": str(FOLDER / "rabbitmq"),
    "RABBITMQ_ENABLED_PLUGINS_FILE": str(FOLDER / "plugins"),
    "RABBITMQ_MNESIA_BASE": str(FOLDER / "data"),
    "RABBITMQ_LOG_BASE": str(FOLDER / "log"),
    # A dead letter that no queue took is sent again after a second in place of three minutes.
    "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "-rabbit dead_letter_worker_publisher_confirm_timeout 1000 +S 2:2",
}


def control(*words):
    done = subprocess.run([PROGRAMS / "rabbitmqctl", *words], env=ENVIRONMENT, capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(f"{words}: {done.stdout}{done.stderr}")
    return done.stdout


def start():
    server = subprocess.Popen(
        [PROGRAMS / "rabbitmq-server"], env=ENVIRONMENT, start_new_session=True,
        stdout=open("server.log", "a"), stderr=subprocess.STDOUT,
    )
    for _ in range(600):
        if server.poll() is not None:
            raise AssertionError(open("server.log").read())
        try:
            connect("/").close()
            return server
        except pika.exceptions.AMQPError:
            time.sleep(0.1)
    raise AssertionError("The broker did not start.")


def kill(server):
    os.killpg(server.pid, signal.SIGKILL)
    server.wait()


def connect(host="shop"):
    return pika.BlockingConnection(pika.ConnectionParameters("127.0.0.1", PORT, host, socket_timeout=5))


def publish(bodies, queue="orders.placed"):
    connection = connect()
    channel = connection.channel()
    channel.confirm_delivery()
    for body in bodies:
        channel.basic_publish("", queue, body, pika.BasicProperties(delivery_mode=2), mandatory=True)
    connection.close()


def consume():
    """A consumer as in the text, until the queue is empty: how often it saw each message, and what it processed."""
    seen, processed = collections.Counter(), []
    connection = connect()
    channel = connection.channel()
    channel.basic_qos(prefetch_count=1)
    for method, _properties, body in channel.consume("orders.placed", inactivity_timeout=1):
        if method is None:
            break
        seen[body] += 1
        if body.startswith(b"invalid"):
            channel.basic_reject(method.delivery_tag, requeue=False)
        elif body.startswith(b"fails"):
            channel.basic_reject(method.delivery_tag, requeue=True)
        else:
            processed.append(body)
            channel.basic_ack(method.delivery_tag)
        if seen.total() >= 500:
            break
    connection.close()
    return seen, processed


def parked(count, seconds=15):
    """Takes that many different messages from the queue of dead letters: what the broker wrote about each."""
    found = {}
    connection = connect()
    channel = connection.channel()
    end = time.monotonic() + seconds
    while len(found) < count and time.monotonic() < end:
        method, properties, body = channel.basic_get("parked")
        if method is None:
            time.sleep(0.1)
            continue
        channel.basic_ack(method.delivery_tag)
        found[body] = properties.headers["x-death"][0]
    connection.close()
    return found


def waiting(queue):
    connection = connect()
    count = connection.channel().queue_declare(queue, passive=True).method.message_count
    connection.close()
    return count


def same(expected, actual, what):
    if expected != actual:
        raise AssertionError(f"{what}: {actual!r} instead of {expected!r}")


signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
names = subprocess.Popen(["epmd", "-port", str(NAMES), "-address", "127.0.0.1"])
server = None
try:
    server = start()
    os.rename("block_1.json", "definitions.json")
    control("import_definitions", "definitions.json")
    control("set_permissions", "-p", "shop", "guest", ".*", ".*", ".*")

    # Between valid messages, one that always fails and one that is invalid.
    valid = [b"valid %d" % n for n in range(20)]
    publish([*valid[:10], b"fails", b"invalid", *valid[10:]])
    seen, processed = consume()
    same(sorted(valid), sorted(processed), "processed")
    same({b"fails": 6, b"invalid": 1}, {k: n for k, n in seen.items() if k not in valid}, "deliveries")
    same({1}, {seen[body] for body in valid}, "deliveries of valid messages")
    deaths = parked(2)
    same({b"fails": "delivery_limit", b"invalid": "rejected"}, {b: d["reason"] for b, d in deaths.items()}, "parked")
    for death in deaths.values():
        same("orders.placed", death["queue"], "queue")
        assert death["time"], death
    same([0, 0], [waiting("orders.placed"), waiting("parked")], "rest")

    # The largest message, and one that is too large.
    publish([b"x" * 262144])
    try:
        publish([b"x" * 300 * 1024])
        raise AssertionError("A large message was accepted.")
    except pika.exceptions.ChannelClosedByBroker as refusal:
        same(406, refusal.reply_code, "reply")
        assert "PRECONDITION_FAILED" in refusal.reply_text, refusal
    same([b"x" * 262144], consume()[1], "the largest message")

    # A dead letter that finds no queue is kept until it does.
    connection = connect()
    connection.channel().queue_unbind("parked", "parked", "")
    publish([b"invalid 2", b"valid"])
    same([b"valid"], consume()[1], "without a queue for dead letters")
    same({}, parked(1, 2), "parked without a binding")
    connection.channel().queue_bind("parked", "parked", "")
    connection.close()
    same([b"invalid 2"], list(parked(1)), "parked after the binding")

    # The broker is killed while a consumer has a message, and started again.
    publish([b"invalid 3", b"fails 2", *valid])
    connection = connect()
    channel = connection.channel()
    method, _, body = channel.basic_get("orders.placed")
    same(b"invalid 3", body, "the first message")
    channel.basic_reject(method.delivery_tag, requeue=False)
    held = channel.basic_get("orders.placed")[2]
    same(b"fails 2", held, "the second message")
    kill(server)
    server = start()
    seen, processed = consume()
    same(sorted(valid), sorted(processed), "processed after the restart")
    assert 5 <= seen[b"fails 2"] <= 6, seen
    same([b"fails 2", b"invalid 3"], sorted(parked(2)), "parked after the restart")
    same(0, waiting("orders.placed"), "rest after the restart")

    # What the two queues may hold.
    lines = control("list_queues", "-p", "shop", "--quiet", "name", "type", "effective_policy_definition", "arguments")
    assert re.search(r"^orders\.placed\tquorum\t.*max-length\W+100000\b.*reject-publish", lines, re.M), lines
    assert re.search(r'^parked\tquorum\t\[\]\t.*2592000000', lines, re.M), lines
finally:
    if server:
        kill(server)
    names.kill()
    names.wait()
