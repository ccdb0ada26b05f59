"""The gateway, started as by its socket unit, and pages that are connected to it."""

import contextlib
import hashlib
import secrets
import socket
import sqlite3
import subprocess
import threading
import time

from segue_bench import account
from segue_bench.sandbox import end

# The socket unit has this backlog, too.
backlog = 128


class Gateway:
    """Serves the browsers of a daemon while the context is active."""

    def __init__(self, player):
        self.player = player
        self.environment = {**player.environment, "SEGUE_SOCKET": str(player.socket)}
        self.listener = socket.socket()
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen(backlog)
        self.port = self.listener.getsockname()[1]

    def __enter__(self):
        # This command makes the database of the accounts.
        words = [self.player.folder / "segue", "web", "registration", "invitation"]
        subprocess.run(words, env=self.environment, stdout=subprocess.DEVNULL, check=True)
        # Only the process itself knows its number, which LISTEN_PID must contain.
        script = 'LISTEN_FDS=1 LISTEN_PID=$$ exec "$0" serve 3<&"$1"'
        descriptor = self.listener.fileno()
        self.process = subprocess.Popen(
            ["sh", "-c", script, str(self.player.folder / "segue-web"), str(descriptor)], pass_fds=[descriptor],
            env=self.environment, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return self

    def __exit__(self, *_):
        end(self.process)
        self.listener.close()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/"

    @property
    def pid(self):
        return self.process.pid

    @property
    def connector(self):
        """The process that connects to the daemon."""
        return next(pid for pid in account.family(self.pid) if pid != self.pid)

    def sign_in(self, count):
        """Adds browsers that are signed in, as with QR codes, and returns their tokens."""
        tokens = [secrets.token_urlsafe(32) for _ in range(count)]
        now = time.time_ns()
        with sqlite3.connect(self.player.state / "web/accounts.db") as accounts:
            accounts.executemany(
                "INSERT INTO device (token, name, role, added, used) VALUES (?, 'Bench', 'own', ?, ?)",
                ((hashlib.sha256(token.encode()).digest(), now, now) for token in tokens))
        accounts.close()
        return tokens


class Page:
    """A connection that receives the events, as that of a page does, from an address of its own."""

    def __init__(self, gateway, token, number):
        self.chunks = []     # the events with their times of arrival
        self.socket = socket.socket()
        self.socket.bind((f"127.0.1.{number + 1}", 0))
        self.socket.connect(("127.0.0.1", gateway.port))
        head = f"GET /events HTTP/1.1\r\nHost: 127.0.0.1:{gateway.port}\r\nCookie: segue={token}\r\n\r\n"
        self.socket.sendall(head.encode())
        received = b""
        while b"event: snapshot" not in received:
            part = self.socket.recv(1 << 16)
            if not part:
                raise RuntimeError(f"the gateway refuses page {number}: {received.decode()}")
            received += part
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        # The gateway may reset a connection that is closed.
        with contextlib.suppress(OSError):
            while part := self.socket.recv(1 << 16):
                self.chunks.append((time.monotonic(), part))

    def first(self, text, after):
        """Returns when the first event with that text arrived, or None."""
        return next((moment for moment, part in self.chunks if moment > after and text in part), None)

    def close(self):
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()


class Pages:
    """Connected pages of as many browsers."""

    def __init__(self, gateway, count):
        self.gateway, self.count = gateway, count

    def __enter__(self):
        tokens = self.gateway.sign_in(self.count)
        self.pages = [Page(self.gateway, token, number) for number, token in enumerate(tokens)]
        return self.pages

    def __exit__(self, *_):
        for page in self.pages:
            page.close()
