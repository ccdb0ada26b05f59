"""Splits the time from a seek to the new sound into its steps, which the system calls of daemon and worker show."""

import re
import shutil
import statistics
import sys
import time

from . import monitor, music
from .figures import Figure
from .players import Segue
from .sandbox import end

# Commands of PulseAudio's protocol, as libpulse sends them: a header of 20 bytes, then the number of the command.
cork, flush = 41, 42
line = re.compile(r"^(?P<thread>\d+) +(?P<time>\d+\.\d+) (?P<call>\w+|<\.\.\. \w+ resumed>)(?P<rest>.*)$")

steps = [
    ("client to loop: the request is read", "request"),
    ("loop: the worker gets its command", "command"),
    ("pulse thread: the old sound is flushed", "flushed"),
    ("worker: the command is read", "read"),
    ("worker and pulse thread: the first PCM is sent", "pcm"),
    ("worker and pulse thread: the head start is sent", "start"),
    ("sound server: the sound is there", "sound"),
]


class TracedSegue(Segue):
    """Runs below strace, which stops it at these calls only."""

    def __init__(self, sandbox):
        super().__init__(sandbox)
        self.trace = self.home / "trace"

    def command(self):
        return ["strace", "-f", "--seccomp-bpf", "-qq", "-ttt", "-xx", "-s", "64",
                "-e", "trace=read,recvmsg,sendmsg,sendto", "-o", str(self.trace), *super().command()]

    def calls(self, begin):
        """Returns the calls that have returned since `begin`: time, thread, name, first bytes of data, and result."""
        found = []
        pending = {}
        for text in self.trace.read_text(errors="replace").splitlines():
            match = line.match(text)
            if not match:
                continue
            moment, thread, rest = float(match["time"]), match["thread"], match["rest"]
            if match["call"].startswith("<"):
                name, started = pending.pop(thread, (None, ""))
                rest = started + rest
            else:
                name = match["call"]
            if rest.endswith("<unfinished ...>"):
                pending[thread] = (name, rest.removesuffix("<unfinished ...>"))
                continue
            data = re.search(r'"((?:\\x[0-9a-f]{2})*)"', rest)
            result = re.search(r"= (-?\d+)", rest)
            if moment >= begin and name and data and result:
                found.append((moment, thread, name, bytes.fromhex(data[1].replace("\\x", "")), int(result[1])))
        return found


def ends(calls):
    """Returns when each step of the seek ended, apart from the last one."""
    def first(condition, after=0.0):
        return next((call[0] for call in calls if call[0] >= after and condition(*call[2:])), None)

    def command(data):
        # A small packet is sent with its header, and a command begins with the tag of a 32-bit number.
        return int.from_bytes(data[21:25], "big") if data[4:8] == b"\xff" * 4 and data[20:21] == b"L" else None

    times = {
        "request": first(lambda name, data, result: name == "read" and b'"seek"' in data),
        "command": first(lambda name, data, result: name == "sendmsg" and b'"restart"' in data),
        "flushed": first(lambda name, data, result: name == "sendto" and command(data) == flush),
        "read": first(lambda name, data, result: name == "recvmsg" and b'"restart"' in data),
    }
    if None in times.values():
        return None
    times["pcm"] = first(lambda name, data, result: name == "sendto" and result > 1000, max(times.values()))
    # The stream was corked before the flush, and is uncorked once there is enough.
    times["start"] = first(lambda name, data, result: name == "sendto" and command(data) == cork,
                           times["pcm"] or float("inf"))
    return None if None in times.values() else times


def budget(bench, kind):
    """Measures Segue only. strace makes every call slower: the section `moments` has the time without it."""
    if kind is not Segue:
        return
    if not shutil.which("strace"):
        return print("    strace is not installed", file=sys.stderr)
    with TracedSegue(bench.sandbox) as player, monitor.Monitor(bench.environment) as heard:
        try:
            player.load(bench.files["seek"])
            player.play()
            time.sleep(2)
            for round in range(4 * bench.rounds):
                target, channel = ((music.half + 20, monitor.right), (20, monitor.left))[round % 2]
                begin, offset = time.monotonic(), time.time() - time.monotonic()
                player.seek(target)
                sound = heard.first_sound(begin, channel)
                time.sleep(1)
                times = ends(player.calls(begin + offset))
                if sound is None or times is None:
                    raise RuntimeError("the trace lacks a step of the seek")
                times["sound"] = sound + offset
                last = begin + offset
                for label, step in sorted(steps, key=lambda step: times[step[1]]):
                    bench.note(Figure(f"seek, below strace: {label}, ms", 2), kind, (times[step] - last) * 1000)
                    last = max(last, times[step])
                bench.note(Figure("seek, below strace: all steps, ms", 2), kind, (times["sound"] - begin - offset) * 1000)
        finally:
            player.call("daemon.shutdown")
            end(player.process)
