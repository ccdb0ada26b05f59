"""Records the output of the sink with arrival times."""

import array
import re
import threading
import time

from . import pulse
from .recording import Recording

# Out of 32768: above the noise of a lossy codec in a silent channel, far below the music.
threshold = 100
left, right, both = slice(0, None, 2), slice(1, None, 2), slice(None)


class Monitor(Recording):
    """Keeps the whole recording."""

    gathered = 2

    def __init__(self, environment):
        super().__init__(environment)
        self.chunks = []
        self.arrival = threading.Condition()

    def __enter__(self):
        super().__enter__()
        with self.arrival:
            if not self.arrival.wait_for(lambda: self.chunks, 5):
                self.__exit__()
                raise RuntimeError("the monitor delivers nothing")
        return self

    def receive(self, moment, frames):
        with self.arrival:
            self.chunks.append((moment, array.array("h", frames)))
            self.arrival.notify()

    def first_sound(self, after, channel=both, timeout=5):
        """Returns when the first sound after that time arrived, or None after the timeout."""
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
        """Returns when the last sound before the silence arrived, or None after the timeout."""
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


class Silence(Recording):
    """Measures gaps in the output, for any length of time."""

    def __init__(self, environment):
        super().__init__(environment)
        self._lock = threading.Lock()
        self._silent = 0     # the frames of the current silence
        self._frames = 0     # the frames of all gaps between sounds
        self._has_begun = False

    def receive(self, moment, frames):
        sounds = bytes(map(bool, array.array("I", frames)))
        with self._lock:
            for run in re.finditer(rb"\0+|[^\0]+", sounds):
                if run[0][0] == 0:
                    self._silent += len(run[0])
                    continue
                # Short runs of zeros are zero crossings.
                if self._has_begun and self._silent >= 20:
                    self._frames += self._silent
                self._silent, self._has_begun = 0, True

    @property
    def milliseconds(self):
        """The total length of gaps between sounds."""
        with self._lock:
            return self._frames / pulse.rate * 1000
