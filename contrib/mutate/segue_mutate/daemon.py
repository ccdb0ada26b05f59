"""A real daemon, and who asks it."""

import json
import pathlib
import socket
import subprocess
import threading
import time

from segue_bench.sandbox import end

patience = 5


class Hang(Exception):
    """Something that has to be answered in time was not."""


class Client:
    def __init__(self, path, wait):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(wait)
        self.socket.connect(str(path))
        self.lines = self.socket.makefile("rb")
        self.last = 0

    def call(self, method, **params):
        """The result; None if it was refused."""
        self.last += 1
        self.socket.sendall(json.dumps({"id": self.last, "method": method, "params": params}).encode() + b"\n")
        try:
            line = self.lines.readline()
        except TimeoutError:
            raise Hang(f"{method} was not answered") from None
        if not line:
            raise EOFError(f"the daemon hung up on {method}")
        return json.loads(line).get("result")


class Watch(threading.Thread):
    """Asks for the status ten times a second, and keeps the longest that an answer took."""

    def __init__(self, path):
        super().__init__(daemon=True)
        self.client = Client(path, 60)
        self.slowest = 0
        self.start()

    def run(self):
        try:
            while True:
                begun = time.monotonic()
                self.client.call("status")
                self.slowest = max(self.slowest, time.monotonic() - begun)
                time.sleep(0.1)
        except (OSError, EOFError, Hang):
            pass


class Daemon:
    """Plays into a sink that leads nowhere, in real time, while it is entered."""

    def __init__(self, programs, sandbox, music=None):
        """`music`: its music folder, none if there is none."""
        self.program = pathlib.Path(programs) / "segued"
        self.environment = sandbox.environment("segue") | {"XDG_MUSIC_DIR": str(music or sandbox.path / "none")}
        self.log = sandbox.path / "log"

    def __enter__(self):
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [self.program], env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            self._connect(pathlib.Path(self.environment["XDG_RUNTIME_DIR"]) / "segue" / "socket")
        except BaseException:
            end(self.process)
            raise
        return self

    def _connect(self, path):
        deadline = time.monotonic() + 30
        while not path.exists():
            if time.monotonic() > deadline or not self.is_running:
                raise Hang("the daemon does not come up")
            time.sleep(0.02)
        # An addition may look into hundreds of files, each of which may take its time.
        self.adder = Client(path, 300)
        self.client = Client(path, patience)
        self.watch = Watch(path)

    def __exit__(self, *_):
        end(self.process)

    @property
    def is_running(self):
        return self.process.poll() is None
