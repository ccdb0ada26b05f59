"""Breaks the media tests' fixtures in thousands of ways and has a real daemon add them all and play some, or scan them."""

import argparse
import pathlib
import random
import re
import shutil
import signal
import sys
import time

from segue_bench.pulse import Pulse
from segue_bench.sandbox import Sandbox

from .breaking import broken
from .daemon import Daemon, Hang, patience

root = pathlib.Path(__file__).resolve().parents[3]
fixtures = sorted(
    path for path in (root / "Tests/MediaTests/Fixtures").iterdir()
    if path.suffix != ".py" and path.is_file() and path.stat().st_size)
tagged = sorted(
    path for path in (root / "Tests/MediaTests/Fixtures/Tags").iterdir() if path.suffix not in (".json", ".png"))
found = root / ".build" / "mutate"
batch_size = 100
# Files of a folder that is scanned; and how long the scan may stand still: two workers, each of which is given five
# seconds for a file twice.
folder_size = 250
standstill = 60
# A worker that hangs is given up after 15 to 18 s, and the next track sounds or ends soon after.
stall = 30


class Run:
    def __init__(self, options):
        self.options = options
        self.counts = dict.fromkeys(["files", "taken", "refused", "crashed", "stuck", "played"], 0)
        self.faults = []
        self.slowest = 0

    def fault(self, path, what):
        """Something that must not be: told, kept, and repeatable."""
        self.faults.append(what)
        number = int(path.name.split("-")[0]) if path else None
        again = "contrib/mutate/run" + " --scan" * self.options.scan + f" --seed {self.options.seed}" + (
            f" --only {number}" if path else "")
        print(f"FAULT {path.name + ': ' if path else ''}{what}\n      again: {again}", flush=True)
        if path and path.exists():
            found.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, found)

    def make(self, number, folder):
        """The same for the same seed and number, whatever else is made."""
        chance = random.Random(f"{self.options.seed}/{number}")
        sources = fixtures + tagged * 2 if self.options.scan else fixtures
        first, other = chance.choice(sources), chance.choice(sources)
        data, done = broken(first.read_bytes(), chance, other.read_bytes())
        name = chance.choice([first, first, first, other]).name
        path = folder / f"{number:06}-{'-'.join(done)}-{name}"
        path.write_bytes(data)
        return path

    def add(self, daemon, paths):
        """Adds them all; the entries by their files."""
        begun = time.monotonic()
        result = daemon.adder.call("queue.replace", uris=[path.as_uri() for path in paths])
        self.slowest = max(self.slowest, (time.monotonic() - begun) / len(paths))
        by_uri = {path.as_uri(): path for path in paths}
        for refusal in result["failed"]:
            path = by_uri[refusal["uri"]]
            self.refuse(path, refusal["message"])
        tracks = daemon.client.call("list")["tracks"]
        if len(tracks) + len(result["failed"]) != len(paths):
            self.fault(None, f"{len(paths)} files, {len(tracks)} taken, {len(result['failed'])} refused")
        self.counts["files"] += len(paths)
        self.counts["taken"] += len(tracks)
        return [(track["id"], by_uri[track["uri"]]) for track in tracks]

    def refuse(self, path, reason):
        self.counts["refused"] += 1
        self.judge(path, reason)

    def judge(self, path, reason):
        """A crash in FFmpeg costs one track, and a trap in our own code is a fault."""
        if not reason:
            self.fault(path, "no reason is given")
        ended_by = re.search(r"signal (\d+)", reason or "")
        if ended_by and ended_by[1] in ("4", "5"):
            self.fault(path, f"a trap: {reason}")
        elif ended_by and ended_by[1] == "9" or "stuck" in (reason or "") or "took longer" in (reason or ""):
            self.counts["stuck"] += 1
            print(f"stuck {path.name}", flush=True)
        elif ended_by:
            self.counts["crashed"] += 1
            print(f"crash {path.name}: {reason}", flush=True)

    def play(self, daemon, number, path, chance):
        """Starts it, jumps in it, and sees to it that it sounds, is over, or is given up with a reason."""
        self.counts["played"] += 1
        status = daemon.client.call("play", id=number)
        deadline = time.monotonic() + stall
        jumps = [chance.random(), 0.999, 0]
        while time.monotonic() < deadline:
            if status is None or not status["track"] or status["track"]["id"] != number or status["state"] != "playing":
                break
            if status["output"]["state"] == "open" and status["position"] is not None and status["rate"] == 1:
                if not jumps:
                    return
                status = daemon.client.call("seek", fraction=jumps.pop()) or status
            time.sleep(0.01)
            status = daemon.client.call("status")
        else:
            return self.fault(path, f"neither sound nor a reason: {status}")
        track = next(t for t in daemon.client.call("list")["tracks"] if t["id"] == number)
        if track["error"]:
            self.judge(path, track["error"])
        elif not track["duration"]:
            self.fault(path, "passed over without a reason")

    def batch(self, daemon, numbers, folder):
        folder.mkdir()
        paths = [self.make(number, folder) for number in numbers]
        try:
            tracks = self.add(daemon, paths)
            for number, path in tracks:
                chance = random.Random(path.name)
                if chance.random() < self.options.play:
                    self.play(daemon, number, path, chance)
            daemon.client.call("stop")
        except (Hang, OSError, EOFError, TypeError) as error:
            self.fault(None, f"{error!r} with one of {paths[0].name} … {paths[-1].name}")
            raise
        finally:
            shutil.rmtree(folder)

    def feed(self, daemon, folder):
        """Everything, as long as the daemon bears it."""
        try:
            daemon.client.call("repeat", mode="off")
            numbers = [self.options.only] if self.options.only is not None else range(self.options.count)
            for start in range(0, len(numbers), batch_size):
                self.batch(daemon, numbers[start:start + batch_size], folder)
                if not sys.stdout.isatty() and start % 1000 == 0 and start:
                    print(f"{start} …", flush=True)
        except (Hang, OSError, EOFError, TypeError):
            pass

    def scan(self, daemon, paths):
        """Sees to it that the scan ends, and that every file is a track or has a reason."""
        begun = last = time.monotonic()
        done = None
        while (status := daemon.client.call("library.status"))["scanning"]:
            if status["done"] != done:
                done, last = status["done"], time.monotonic()
            if time.monotonic() - last > standstill:
                return self.fault(None, f"the scan stands still: {status}")
            time.sleep(0.1)
        self.slowest = (time.monotonic() - begun) / len(paths)
        by_uri = {path.as_uri(): path for path in paths}
        known = set()
        for method in "library.tracks", "library.failures":
            while True:
                page = daemon.client.call(method, offset=len(known) - self.counts["taken"], limit=1000)
                items = page["tracks" if method == "library.tracks" else "failures"]
                for item in items:
                    known.add(item["uri"].partition("#")[0])
                    if method == "library.failures":
                        self.refuse(by_uri[item["uri"]], item["message"])
                if not items:
                    break
            if method == "library.tracks":
                self.counts["taken"] = len(known)
        self.counts["files"] = len(paths)
        # What is no audio by its name is none of the library's.
        suffixes = {pathlib.PurePath(uri).suffix for uri in known}
        for uri in by_uri.keys() - known:
            if by_uri[uri].suffix in suffixes:
                self.fault(by_uri[uri], "neither a track nor a failure")
        daemon.client.call("library.scan")
        while (status := daemon.client.call("library.status"))["scanning"]:
            time.sleep(0.1)
        if status["total"]:
            self.fault(None, f"files that have not changed are looked into again: {status}")

    def feed_library(self, daemon, paths):
        """As `feed`, by the music folder."""
        try:
            self.scan(daemon, paths)
        except (Hang, OSError, EOFError, TypeError) as error:
            self.fault(None, repr(error))

    def make_library(self, folder):
        numbers = [self.options.only] if self.options.only is not None else range(self.options.count)
        paths = []
        for number in numbers:
            place = folder / f"{number // folder_size}"
            place.mkdir(parents=True, exist_ok=True)
            paths.append(self.make(number, place))
        return paths

    def all(self):
        with Sandbox() as sandbox, Pulse(sandbox):
            music = sandbox.path / "files" if self.options.scan else None
            paths = self.make_library(music) if music else []
            with Daemon(self.options.programs, sandbox, music) as daemon:
                if music:
                    self.feed_library(daemon, paths)
                else:
                    self.feed(daemon, sandbox.path / "files")
                if not daemon.is_running:
                    self.fault(None, f"the daemon ended ({daemon.process.returncode})")
                if daemon.watch.slowest > patience:
                    self.fault(None, f"a status took {daemon.watch.slowest:.1f} s")
            log = daemon.log.read_text(errors="replace")
            for line in sorted(set(re.findall(r".*Fatal error.*|.*unavailable.*", log))):
                print(line)
            print(", ".join(f"{count} {name}" for name, count in self.counts.items()), f"(seed {self.options.seed});",
                  f"slowest status {daemon.watch.slowest * 1000:.0f} ms,",
                  f"slowest batch {self.slowest * 1000:.0f} ms a file")
        return 1 if self.faults else 0


def main():
    # As an interrupt: what was started is ended.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    parser = argparse.ArgumentParser(prog="contrib/mutate/run", description=__doc__)
    parser.add_argument("count", nargs="?", type=int, default=2000, help="how many files (2000)")
    parser.add_argument("--seed", type=int, default=1, help="others are broken otherwise (1)")
    parser.add_argument("--play", type=float, default=0.2, metavar="SHARE", help="of those that were taken (0.2)")
    parser.add_argument("--only", type=int, metavar="NUMBER", help="the one file of this number")
    parser.add_argument("--scan", action="store_true", help="have them scanned as a music folder, and play none")
    parser.add_argument("--programs", default=root / ".build" / "debug", help="where segued lies")
    sys.exit(Run(parser.parse_args()).all())


main()
