"""Mutates the fixtures of the media tests. A real daemon adds the files and plays some of them, or scans them."""

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

from .daemon import Daemon, Timeout, response_timeout
from .mutations import mutated

root = pathlib.Path(__file__).resolve().parents[3]
fixtures = sorted(
    path for path in (root / "Tests/MediaTests/Fixtures").iterdir()
    if path.suffix != ".py" and path.is_file() and path.stat().st_size)
tag_fixtures = sorted(
    path for path in (root / "Tests/MediaTests/Fixtures/Tags").iterdir() if path.suffix not in (".json", ".png"))
failed_files = root / ".build" / "mutate"
batch_size = 100
folder_size = 250
# The maximum time in seconds without progress of a scan. It exceeds two attempts of five seconds for a file of each of
# the two workers.
scan_timeout = 60
# The maximum time in seconds until a track is audible or has failed. A worker that hangs is killed after 15 to 18 s.
track_timeout = 30
# The messages of timeouts in the decoder, the prober and the scan.
timeout_reason = re.compile("decoder hung on this file|decoder did not respond|file took longer than")
connection_errors = (Timeout, OSError, EOFError, TypeError)


class Run:
    def __init__(self, options):
        self.options = options
        self.counts = dict.fromkeys(["files", "accepted", "rejected", "crashed", "timed out", "played"], 0)
        self.faults = []
        self.longest_per_file = 0

    def report_fault(self, path, message):
        """Prints a fault with the command that reproduces it, and keeps the file."""
        self.faults.append(message)
        number = int(path.name.split("-")[0]) if path else None
        command = "contrib/mutate/run" + " --scan" * self.options.scan + f" --seed {self.options.seed}" + (
            f" --only {number}" if path else "")
        print(f"FAULT {path.name + ': ' if path else ''}{message}\n      reproduce: {command}", flush=True)
        if path and path.exists():
            failed_files.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, failed_files)

    def make_file(self, number, folder):
        """Makes a mutated file, which depends only on the seed and the number, and returns its path."""
        generator = random.Random(f"{self.options.seed}/{number}")
        sources = fixtures + tag_fixtures * 2 if self.options.scan else fixtures
        first, other = generator.choice(sources), generator.choice(sources)
        data, mutations = mutated(first.read_bytes(), generator, other.read_bytes())
        name = generator.choice([first, first, first, other]).name
        path = folder / f"{number:06}-{'-'.join(mutations)}-{name}"
        path.write_bytes(data)
        return path

    def add(self, daemon, paths):
        """Adds files to the queue. Returns the id and the path of each accepted one."""
        start = time.monotonic()
        result = daemon.slow_client.call("queue.replace", uris=[path.as_uri() for path in paths])
        self.longest_per_file = max(self.longest_per_file, (time.monotonic() - start) / len(paths))
        by_uri = {path.as_uri(): path for path in paths}
        for failure in result["failed"]:
            self.count_rejected(by_uri[failure["uri"]], failure["message"])
        tracks = daemon.client.call("list")["tracks"]
        if len(tracks) + len(result["failed"]) != len(paths):
            self.report_fault(
                None, f"of {len(paths)} files, {len(tracks)} were accepted and {len(result['failed'])} rejected")
        self.counts["files"] += len(paths)
        self.counts["accepted"] += len(tracks)
        return [(track["id"], by_uri[track["uri"]]) for track in tracks]

    def count_rejected(self, path, reason):
        self.counts["rejected"] += 1
        self.check_reason(path, reason)

    def check_reason(self, path, reason):
        """Counts crashes and timeouts, which affect one track each. A trap is a fault, because FFmpeg causes none."""
        if not reason:
            self.report_fault(path, "the error has no message")
        ended_by = re.search(r"signal (\d+)", reason or "")
        if ended_by and ended_by[1] in ("4", "5"):
            self.report_fault(path, f"trap: {reason}")
        elif ended_by and ended_by[1] == "9" or timeout_reason.search(reason or ""):
            self.counts["timed out"] += 1
            print(f"timeout {path.name}", flush=True)
        elif ended_by:
            self.counts["crashed"] += 1
            print(f"crash {path.name}: {reason}", flush=True)

    def play(self, daemon, id, path, generator):
        """Plays a track and seeks in it. It must become audible, end, or fail with a reason."""
        self.counts["played"] += 1
        status = daemon.client.call("play", id=id)
        deadline = time.monotonic() + track_timeout
        seeks = [generator.random(), 0.999, 0]
        while time.monotonic() < deadline:
            if status is None or not status["track"] or status["track"]["id"] != id or status["state"] != "playing":
                break
            if status["output"]["state"] == "open" and status["position"] is not None and status["rate"] == 1:
                if not seeks:
                    return
                status = daemon.client.call("seek", fraction=seeks.pop()) or status
            time.sleep(0.01)
            status = daemon.client.call("status")
        else:
            return self.report_fault(path, f"the track is neither audible nor failed: {status}")
        track = next(t for t in daemon.client.call("list")["tracks"] if t["id"] == id)
        if track["error"]:
            self.check_reason(path, track["error"])
        elif not track["duration"]:
            self.report_fault(path, "the track was skipped without a reason")

    def add_batch(self, daemon, numbers, folder):
        """Makes and adds files, and plays some of them."""
        folder.mkdir()
        paths = [self.make_file(number, folder) for number in numbers]
        try:
            for id, path in self.add(daemon, paths):
                generator = random.Random(path.name)
                if generator.random() < self.options.play:
                    self.play(daemon, id, path, generator)
            daemon.client.call("stop")
        except connection_errors as error:
            self.report_fault(None, f"{error!r} for one of {paths[0].name} … {paths[-1].name}")
            raise
        finally:
            shutil.rmtree(folder)

    def add_all(self, daemon, folder):
        """Adds all files in batches. Ends if the daemon no longer responds."""
        try:
            daemon.client.call("repeat", mode="off")
            numbers = [self.options.only] if self.options.only is not None else range(self.options.count)
            for start in range(0, len(numbers), batch_size):
                self.add_batch(daemon, numbers[start:start + batch_size], folder)
                if not sys.stdout.isatty() and start % 1000 == 0 and start:
                    print(f"{start} …", flush=True)
        except connection_errors:
            pass

    def wait_for_scan(self, daemon):
        """Waits for the end of the scan and returns the last status. Returns None after a timeout."""
        last_change = time.monotonic()
        done = None
        while (status := daemon.client.call("library.status"))["scanning"]:
            if status["done"] != done:
                done, last_change = status["done"], time.monotonic()
            if time.monotonic() - last_change > scan_timeout:
                self.report_fault(None, f"the scan makes no progress: {status}")
                return None
            time.sleep(0.1)
        return status

    def pages(self, daemon, method, member):
        """Yields the items of all pages of a list."""
        offset = 0
        while items := daemon.client.call(method, offset=offset, limit=1000)[member]:
            offset += len(items)
            yield from items

    def scan(self, daemon, paths):
        """Waits for the scan. Every file must be a track or have a reason, and must not be read a second time."""
        start = time.monotonic()
        if self.wait_for_scan(daemon) is None:
            return
        self.longest_per_file = (time.monotonic() - start) / len(paths)
        self.counts["files"] = len(paths)
        by_uri = {path.as_uri(): path for path in paths}
        # A cue sheet in a file makes several tracks, whose URIs differ in the fragment.
        known = {track["uri"].partition("#")[0] for track in self.pages(daemon, "library.tracks", "tracks")}
        self.counts["accepted"] = len(known)
        for failure in self.pages(daemon, "library.failures", "failures"):
            known.add(failure["uri"])
            self.count_rejected(by_uri[failure["uri"]], failure["message"])
        # The library ignores files whose names have other suffixes than those of audio files.
        suffixes = {pathlib.PurePath(uri).suffix for uri in known}
        for uri in by_uri.keys() - known:
            if by_uri[uri].suffix in suffixes:
                self.report_fault(by_uri[uri], "the file is neither a track nor a failure")
        daemon.client.call("library.scan")
        status = self.wait_for_scan(daemon)
        if status and status["total"]:
            self.report_fault(None, f"unchanged files are scanned again: {status}")

    def make_library(self, folder):
        """Makes all files in a music folder and returns their paths."""
        numbers = [self.options.only] if self.options.only is not None else range(self.options.count)
        paths = []
        for number in numbers:
            subfolder = folder / f"{number // folder_size}"
            subfolder.mkdir(parents=True, exist_ok=True)
            paths.append(self.make_file(number, subfolder))
        return paths

    def run(self):
        """Runs everything, prints a summary and returns the exit code."""
        with Sandbox() as sandbox, Pulse(sandbox):
            folder = sandbox.path / "files"
            paths = self.make_library(folder) if self.options.scan else []
            with Daemon(self.options.bin, sandbox, folder if self.options.scan else None) as daemon:
                if self.options.scan:
                    try:
                        self.scan(daemon, paths)
                    except connection_errors as error:
                        self.report_fault(None, repr(error))
                else:
                    self.add_all(daemon, folder)
                if not daemon.is_running:
                    self.report_fault(None, f"the daemon has exited with status {daemon.process.returncode}")
                if daemon.monitor.longest > response_timeout:
                    self.report_fault(None, f"a response to status took {daemon.monitor.longest:.1f} s")
            log = daemon.log.read_text(errors="replace")
            for line in sorted(set(re.findall(r".*Fatal error.*|.*unavailable.*", log))):
                print(line)
            print(", ".join(f"{count} {name}" for name, count in self.counts.items()), f"(seed {self.options.seed});",
                  f"longest response to status {daemon.monitor.longest * 1000:.0f} ms,",
                  f"longest time {self.longest_per_file * 1000:.0f} ms per file")
        return 1 if self.faults else 0


def main():
    # SIGTERM has the same effect as an interrupt: the child processes are ended.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    parser = argparse.ArgumentParser(prog="contrib/mutate/run", description=__doc__)
    parser.add_argument("count", nargs="?", type=int, default=2000, help="number of files (default: 2000)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the mutations (default: 1)")
    parser.add_argument(
        "--play", type=float, default=0.2, metavar="SHARE", help="share of the accepted files to play (default: 0.2)")
    parser.add_argument("--only", type=int, metavar="NUMBER", help="make only the file with this number")
    parser.add_argument("--scan", action="store_true", help="scan the files as a music folder instead of playing them")
    parser.add_argument("--bin", default=root / ".build" / "debug", metavar="FOLDER", help="folder of segued (default: .build/debug)")
    sys.exit(Run(parser.parse_args()).run())


main()
