"""Listens to the sink: which numbered frame is heard when, and whether one is missing."""

import array
import collections
import threading

from segue_bench.recording import Recording

from . import tracks

# Fewer in a row than this are no numbered track but music that looks like one.
shortest = 200
# A null sink's monitor hides up to 20 ms where a stream begins.
hidden = int(0.03 * tracks.rate)


class Run:
    """Consecutive frames of one numbered track."""

    def __init__(self, value, moment, joined):
        self.first = self.last = value
        self.began = moment
        self.ended = None
        # Whether another run ended where this one begins.
        self.joined = joined

    def __len__(self):
        return self.last - self.first + 1


class Ear(Recording):
    def __init__(self, environment, lengths):
        super().__init__(environment)
        self.lengths = lengths
        self.runs = []
        self.tracks_heard = 0
        self.marks = collections.deque(maxlen=4000)
        self.lock = threading.Lock()
        self.run = None

    def hear(self, moment, frames):
        with self.lock:
            self._follow(array.array("I", frames), moment)

    def _follow(self, values, now):
        run = self.run
        # Nearly always: the whole piece goes on where the one before ended.
        if run and values[0] == run.last + 1 and values[-1] == run.last + len(values) \
                and values == array.array("I", range(values[0], values[0] + len(values))):
            run.last = values[-1]
        else:
            for value in values:
                if run and value == run.last + 1:
                    run.last = value
                else:
                    kept = self._close(run, now)
                    run = Run(value, now, kept) if value else None
            self.run = run
        if run and len(run) >= shortest:
            self.marks.append((now, run.last))

    def _close(self, run, now):
        """Keeps a run if it is long enough to be one; whether it was."""
        if run is None or len(run) < shortest:
            return False
        run.ended = now
        self.runs.append(run)
        return True

    def take(self):
        """The runs that have ended since this was asked last."""
        with self.lock:
            runs, self.runs = self.runs, []
        self.tracks_heard += len(runs)
        return runs

    def position(self, number, moment):
        """The first mark from that moment on, if it is of that track: (time, seconds into the track)."""
        with self.lock:
            for time_, value in self.marks:
                if time_ >= moment:
                    return (time_, (value & (1 << tracks.frame_bits) - 1) / tracks.rate) \
                        if value >> tracks.frame_bits == number else None
        return None

    def broken(self, runs, since):
        """Those that began after `since` and are not a whole track: something was lost or came twice."""
        found = []
        for run in runs:
            number, first = divmod(run.first, 1 << tracks.frame_bits)
            last = run.last & (1 << tracks.frame_bits) - 1
            if run.began < since or number not in self.lengths:
                continue
            if first > (0 if run.joined else hidden) or last != self.lengths[number] - 1:
                found.append(f"track {number}: frames {first} to {last} of {self.lengths[number]}")
        return found
