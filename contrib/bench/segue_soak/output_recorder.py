"""Records the output of the sink: which numbered frame is played when, and whether frames are missing."""

import array
import collections
import threading

from segue_bench.recording import Recording

from . import tracks

# Shorter runs of consecutive values are music and not a numbered track.
minimum_run = 200
# The monitor of a null sink omits up to 20 ms at the beginning of a stream.
maximum_onset = int(0.03 * tracks.rate)


class Run:
    """Consecutive frames of one numbered track."""

    def __init__(self, value, moment, joined):
        self.first = self.last = value
        self.began = moment
        self.ended = None
        # Whether the previous run ended directly before this one.
        self.joined = joined

    def __len__(self):
        return self.last - self.first + 1


class OutputRecorder(Recording):
    def __init__(self, environment, lengths):
        super().__init__(environment)
        self.lengths = lengths
        self.runs = []
        self.tracks_played = 0
        self.marks = collections.deque(maxlen=4000)
        self.lock = threading.Lock()
        self.run = None

    def receive(self, moment, frames):
        with self.lock:
            self._follow(array.array("I", frames), moment)

    def _follow(self, values, now):
        run = self.run
        # The common case: the block continues the current run.
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
        if run and len(run) >= minimum_run:
            self.marks.append((now, run.last))

    def _close(self, run, now):
        """Stores a run that is long enough. Returns whether it was."""
        if run is None or len(run) < minimum_run:
            return False
        run.ended = now
        self.runs.append(run)
        return True

    def take(self):
        """Returns the runs that have ended since the last call."""
        with self.lock:
            runs, self.runs = self.runs, []
        self.tracks_played += len(runs)
        return runs

    def position(self, number, moment):
        """Returns the first mark from `moment` on as (time, seconds into the track), or None if it is of another track."""
        with self.lock:
            for time_, value in self.marks:
                if time_ >= moment:
                    return (time_, (value & (1 << tracks.frame_bits) - 1) / tracks.rate) \
                        if value >> tracks.frame_bits == number else None
        return None

    def broken(self, runs, since):
        """Returns runs that began after `since` and are not a whole track: frames were lost or repeated."""
        found = []
        for run in runs:
            number, first = divmod(run.first, 1 << tracks.frame_bits)
            last = run.last & (1 << tracks.frame_bits) - 1
            if run.began < since or number not in self.lengths:
                continue
            if first > (0 if run.joined else maximum_onset) or last != self.lengths[number] - 1:
                found.append(f"track {number}: frames {first} to {last} of {self.lengths[number]}")
        return found
