"""The daemon under test."""

import os
import pathlib
import subprocess
import time

from segue_bench import account
from segue_bench.players import Segue

from . import process_info
from .clients import Connection


class Daemon(Segue):
    """The daemon in the folder `build`."""

    def install(self, sandbox):
        return self.build

    def prepare(self):
        super().prepare()
        # Pages of a program that was just built count as dirty memory until they are written to the disk.
        os.sync()
        folder = pathlib.Path(self.environment["XDG_CONFIG_HOME"]) / "segue"
        folder.mkdir(exist_ok=True)
        (folder / "segue.conf").write_text("[Player]\nGracePeriod=1\n")
        self.log = self.home / "log"

    def spawn(self, command):
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(command, env=self.environment, stdin=subprocess.DEVNULL,
                                            stdout=subprocess.DEVNULL, stderr=log)

    def connect(self):
        return Connection(self.socket)

    @property
    def is_alive(self):
        return self.process.poll() is None

    @property
    def memory(self):
        """The private dirty memory of the daemon and its workers in MB."""
        return account.memory(self.pid)

    def rest(self, connection):
        """Stops playback, waits until stream and workers are gone, and returns memory, descriptors, threads and zombies."""
        connection.call("stop")
        deadline = time.monotonic() + 60
        while connection.call("status")["output"]["state"] != "idle" or len(account.family(self.pid)) > 1:
            if time.monotonic() > deadline:
                raise RuntimeError("the stream or a worker does not end")
            time.sleep(0.1)
        time.sleep(0.5)
        return {"memory": account.memory(self.pid), "descriptors": process_info.descriptors(self.pid),
                "threads": process_info.threads(self.pid), "zombies": process_info.zombies(self.pid)}
