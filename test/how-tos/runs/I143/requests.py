"""Answers as the range API does, and keeps what was sent: the check has no network."""
import hashlib

sent = []
status = 200


class Answer:
    def __init__(self, prefix):
        digest = hashlib.sha1(b"correct horse battery").hexdigest().upper()
        padded = hashlib.sha1(b"a padded pass phrase").hexdigest().upper()
        rows = [f"{d[5:]}:{n}" for d, n in ((digest, 42), (padded, 0)) if d.startswith(prefix)]
        self.text = "\r\n".join(["0" * 35 + ":3", *rows])

    def raise_for_status(self):
        if status != 200:
            raise OSError(status)


def get(url, headers, timeout):
    sent.append((url, headers, timeout))
    return Answer(url.rsplit("/", 1)[1])
