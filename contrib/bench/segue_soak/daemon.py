"""The daemon under test."""

import pathlib
import subprocess
import time

from segue_bench import account
from segue_bench.players import Segue

from . import gauge
from .company import Connection


class Daemon(Segue):
    """`programs` is set by whoever says which build it is."""

    def prepare(self):
        super().prepare()
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
        """Of it and its workers, private dirty, in MB."""
        return account.memory(self.pid)

    def rest(self, connection):
        """Stops, waits until stream and workers are gone, and says what is left: MB, descriptors, threads, zombies."""
        connection.call("stop")
        deadline = time.monotonic() + 60
        while connection.call("status")["output"]["state"] != "idle" or len(account.family(self.pid)) > 1:
            if time.monotonic() > deadline:
                raise RuntimeError("stream or worker do not go")
            time.sleep(0.1)
        time.sleep(0.5)
        return {"memory": account.memory(self.pid), "descriptors": gauge.descriptors(self.pid),
                "threads": gauge.threads(self.pid), "zombies": gauge.zombies(self.pid)}
