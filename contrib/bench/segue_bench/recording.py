"""Records the output of the private sound server."""

import os
import subprocess
import threading
import time

from . import pulse
from .sandbox import end

frame_size = 4


class Recording:
    """Records while the context is active. A thread calls `receive` with whole frames (16 bits, stereo, native byte order) and
    their time of arrival (`time.monotonic`), which is accurate to `gathered` milliseconds."""

    gathered = 10

    def __init__(self, environment):
        self.environment = environment

    def receive(self, moment, frames):
        raise NotImplementedError

    def __enter__(self):
        self.process = subprocess.Popen(
            ["parec", f"--device={pulse.sink}.monitor", "--raw", "--format=s16ne", f"--rate={pulse.rate}",
             "--channels=2", f"--latency-msec={self.gathered}"], env=self.environment, stdout=subprocess.PIPE)
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_):
        end(self.process)
        self.thread.join()
        self.process.stdout.close()

    def _read(self):
        rest = b""
        while chunk := os.read(self.process.stdout.fileno(), 1 << 16):
            now = time.monotonic()
            chunk = rest + chunk
            whole = len(chunk) // frame_size * frame_size
            rest = chunk[whole:]
            if whole:
                self.receive(now, chunk[:whole])
