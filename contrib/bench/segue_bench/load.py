"""The load generator and the echo server, compiled from the C beside this folder."""

import json
import pathlib
import subprocess
import time

from .sandbox import end

sources = pathlib.Path(__file__).resolve().parents[1]


class Load:
    def __init__(self, sandbox):
        self.folder = sandbox.folder("load")
        for name in ("load", "echo"):
            subprocess.run(["cc", "-O2", "-o", self.folder / name, sources / f"{name}.c"], check=True)

    def run(self, server, count, depth, connections):
        """Returns the output of load.c for `count` responses."""
        words = [self.folder / "load", server.socket, server.question, server.answer_end, count, depth, connections,
                 server.greeting]
        finished = subprocess.run(list(map(str, words)), capture_output=True, text=True)
        if finished.returncode:
            raise RuntimeError(f"{server.name}: {finished.stderr.strip()}")
        return json.loads(finished.stdout)


class Echo:
    """The lower bound: a server that echoes each request."""

    name = "echo"
    question, answer_end, greeting = '{"method":"status","id":0}\n', "\n", 0

    def __init__(self, load):
        self.program = load.folder / "echo"
        self.socket = load.folder / "socket"

    def __enter__(self):
        self.socket.unlink(missing_ok=True)
        self.process = subprocess.Popen([self.program, self.socket])
        while not self.socket.exists() and self.process.poll() is None:
            time.sleep(0.01)
        return self

    def __exit__(self, *_):
        end(self.process)
