"""A real daemon and its clients."""

import json
import pathlib
import socket
import subprocess
import threading
import time

from segue_bench.sandbox import end

# The maximum response time in seconds of requests that read no files.
response_timeout = 5


class Timeout(Exception):
    """The daemon did not start or respond in time."""


class Client:
    def __init__(self, path, timeout):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(timeout)
        self.socket.connect(str(path))
        self.lines = self.socket.makefile("rb")
        self.last_id = 0

    def call(self, method, **params):
        """Returns the result of a request, or None if the response is an error."""
        self.last_id += 1
        request = {"id": self.last_id, "method": method, "params": params}
        self.socket.sendall(json.dumps(request).encode() + b"\n")
        try:
            line = self.lines.readline()
        except TimeoutError:
            raise Timeout(f"no response to {method}") from None
        if not line:
            raise EOFError(f"the daemon disconnected during {method}")
        return json.loads(line).get("result")


class ResponseMonitor(threading.Thread):
    """A client that requests the status ten times a second and records the longest response time."""

    def __init__(self, path):
        super().__init__(daemon=True)
        self.client = Client(path, 60)
        self.longest = 0
        self.start()

    def run(self):
        try:
            while True:
                start = time.monotonic()
                self.client.call("status")
                self.longest = max(self.longest, time.monotonic() - start)
                time.sleep(0.1)
        except (OSError, EOFError, Timeout):
            pass


class Daemon:
    """A context in which a daemon runs. It plays into a null sink in real time."""

    def __init__(self, programs, sandbox, music=None):
        """Creates a daemon with the music folder `music`, or without one."""
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
                raise Timeout("the daemon did not start")
            time.sleep(0.02)
        # An addition may probe hundreds of files, each of which may reach its time limit.
        self.slow_client = Client(path, 300)
        self.client = Client(path, response_timeout)
        self.monitor = ResponseMonitor(path)

    def __exit__(self, *_):
        end(self.process)

    @property
    def is_running(self):
        return self.process.poll() is None
