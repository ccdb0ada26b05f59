"""A real daemon with folders and a sound server of its own."""

import json
import os
import pathlib
import socket
import subprocess
import threading
import time

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
    """Plays into a sink that leads nowhere, in real time."""

    def __init__(self, programs, folder):
        self.folder = pathlib.Path(folder)
        self.log = self.folder / "log"
        self.programs = pathlib.Path(programs)
        environment = {key: os.environ[key] for key in ("PATH", "LD_LIBRARY_PATH") if key in os.environ}
        environment |= {"HOME": str(self.folder), "XDG_RUNTIME_DIR": str(self.folder), "LANG": "C.UTF-8"}
        environment |= {"XDG_MUSIC_DIR": str(self.folder / "none")}
        environment |= {"PULSE_SERVER": f"unix:{self.folder}/sound"}
        self.server = subprocess.Popen(
            ["pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--log-target=null"]
            + ["--load=module-null-sink sink_name=nowhere rate=44100"]
            + [f"--load=module-native-protocol-unix socket={self.folder}/sound auth-anonymous=1"],
            env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for((self.folder / "sound").exists, "the sound server")
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [self.programs / "segued"], env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        path = self.folder / "segue" / "socket"
        wait_for(path.exists, "the daemon")
        # An addition may look into hundreds of files, each of which may take its time.
        self.adder = Client(path, 300)
        self.client = Client(path, patience)
        self.watch = Watch(path)

    @property
    def is_running(self):
        return self.process.poll() is None

    def end(self):
        for process in (self.process, self.server):
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def wait_for(condition, what):
    deadline = time.monotonic() + 30
    while not condition():
        if time.monotonic() > deadline:
            raise Hang(f"{what} does not come up")
        time.sleep(0.02)
