"""What comes out of the private sound server's sink, piece by piece."""

import os
import subprocess
import threading
import time

from . import pulse
from .sandbox import end

frame_size = 4


class Recording:
    """Records while it is entered. `hear` is called on a thread of its own, with whole frames (16 bits, left and right, as
    this machine has them) and the moment at which they came, in the time of `time.monotonic`; it is right to `gathered`
    milliseconds, which is what the monitor hands over at once."""

    gathered = 10

    def __init__(self, environment):
        self.environment = environment

    def hear(self, moment, frames):
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
                self.hear(now, chunk[:whole])
