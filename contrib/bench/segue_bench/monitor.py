"""What comes out of the sink, with the time at which it came."""

import array
import os
import subprocess
import threading
import time

from . import pulse
from .sandbox import end

# Of 32768: above what a lossy codec leaves in a silent channel, far below the music.
threshold = 100
left, right, both = slice(0, None, 2), slice(1, None, 2), slice(None)


class Monitor:
    """Records while it is entered. Times are those of `time.monotonic`; they are right to a few milliseconds, which
    is what the monitor gathers before it hands it over."""

    def __init__(self, environment):
        self.environment = environment
        self.chunks = []
        self.arrival = threading.Condition()

    def __enter__(self):
        self.process = subprocess.Popen(
            ["parec", f"--device={pulse.sink}.monitor", "--raw", "--format=s16ne", f"--rate={pulse.rate}",
             "--channels=2", "--latency-msec=2"], env=self.environment, stdout=subprocess.PIPE)
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()
        with self.arrival:
            if not self.arrival.wait_for(lambda: self.chunks, 5):
                raise RuntimeError("the monitor gives nothing")
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
            whole = len(chunk) // 4 * 4
            chunk, rest = chunk[:whole], chunk[whole:]
            with self.arrival:
                self.chunks.append((now, array.array("h", chunk)))
                self.arrival.notify()

    def first_sound(self, after, channel=both, timeout=5):
        """When the first sound after that moment arrived; None if none did in time."""
        seen = len(self.chunks)
        while seen and self.chunks[seen - 1][0] > after:
            seen -= 1
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            with self.arrival:
                self.arrival.wait_for(lambda: len(self.chunks) > seen, 0.1)
                fresh = self.chunks[seen:]
            for moment, samples in fresh:
                if loud(samples[channel]):
                    return moment
            seen += len(fresh)
        return None

    def last_sound(self, after, silence=0.3, timeout=5):
        """When the last sound arrived, once it has been silent that long; None if it never was."""
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            time.sleep(0.05)
            with self.arrival:
                heard = [moment for moment, samples in self.chunks[-1000:] if loud(samples)]
                newest = self.chunks[-1][0]
            last = max(heard[-1] if heard else after, after)
            if newest - last > silence:
                return last
        return None


def loud(samples):
    return len(samples) > 0 and (max(samples) > threshold or min(samples) < -threshold)
