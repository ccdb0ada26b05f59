import argparse
import contextlib
import itertools
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

from segue_bench.pulse import Pulse
from segue_bench.sandbox import Sandbox, end

from . import conditions, radio, tracks
from .daemon import Daemon
from .output_recorder import OutputRecorder
from .phase import Phase


def table(rows):
    widths = [max(len(str(row[column])) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(str(cell).rjust(width) if index else str(cell).ljust(width)
                        for index, (cell, width) in enumerate(zip(row, widths))))


def transposed(rows):
    return list(zip(*rows))


def latencies(connection, seconds):
    """Returns the sorted latencies of consecutive `status` requests in milliseconds."""
    found = []
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        begin = time.monotonic()
        connection.call("status")
        found.append((time.monotonic() - begin) * 1000)
        time.sleep(0.001)
    return sorted(found)


def measure_hostile_clients(daemon, connection, seconds):
    """Measures a well-behaved client beside a thousand hostile ones. Returns the failures."""
    # The first playback loads libraries and connects to the sound server.
    connection.call("play")
    time.sleep(1)
    before = daemon.rest(connection)
    connection.call("play")
    time.sleep(1)
    alone = latencies(connection, 3)
    underruns = connection.call("status")["output"]["underruns"]
    words = [sys.executable, "-m", "segue_soak.hostile_clients", str(daemon.socket)]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        process.stdout.readline()
        beside = latencies(connection, seconds)
        memory = daemon.memory
        process.stdin.close()
        counts = json.loads(process.stdout.readline())
    finally:
        end(process)
    deadline = time.monotonic() + 60
    while connection.call("daemon.stats")["clients"] > 2 and time.monotonic() < deadline:
        time.sleep(0.1)
    underruns = connection.call("status")["output"]["underruns"] - underruns
    after = daemon.rest(connection)
    p99 = [found[len(found) * 99 // 100] for found in (alone, beside)]
    print("Hostile clients: " + ", ".join(f"{count} {name}" for name, count in counts.items()))
    table([["latency of status", "requests", "median, ms", "p99, ms", "largest, ms"]] + [
        [name, len(found), f"{found[len(found) // 2]:.2f}", f"{found[len(found) * 99 // 100]:.2f}",
         f"{found[-1]:.2f}"] for name, found in (("alone", alone), ("beside hostile clients", beside))])
    print(f"memory: {before['memory']:.1f} MB before, {memory:.1f} beside hostile clients, {after['memory']:.1f} after; "
          f"descriptors {before['descriptors']} and {after['descriptors']}; underruns {underruns}\n")
    return [failure for failure, holds in (
        (f"hostile clients: p99 of status is {p99[1]:.1f} ms", p99[1] < 5),
        (f"hostile clients: the daemon takes {memory:.0f} MB", memory < 192),
        (f"hostile clients: {after['memory'] - before['memory']:.1f} MB are not freed", after["memory"] - before["memory"] < 2),
        (f"hostile clients: descriptors are not closed ({before['descriptors']}, {after['descriptors']})",
         after["descriptors"] <= before["descriptors"]),
        (f"hostile clients: {underruns} underruns", underruns == 0)) if not holds]


def planned_conditions(daemon, folder):
    """Yields the name of each condition, its share of the time, and a context manager that yields the files to play, or None
    for all files."""
    cores = len(os.sched_getaffinity(0))
    compressed = tracks.compressed()
    yield f"{cores} busy loops", 0.3, lambda: conditions.busy(cores)
    yield "plain", 0.2, contextlib.nullcontext
    yield "slow disk", 0.2, lambda: conditions.slow_disk(folder, compressed, 1.0)
    yield "48 MB of memory", 0.18, lambda: conditions.limited_memory(daemon.pid, 48 << 20)


def soak(daemon, connection, recorder, files, numbers, conditions, seconds):
    """Runs every condition for its share of the time. Returns the phases, and the conditions that were skipped."""
    def load(paths):
        connection.call("queue.clear")
        connection.call("queue.add", uris=[path.as_uri() for path in paths])

    def phase(name, share, paths, seed):
        phase = Phase(name, daemon, connection, recorder, paths, numbers)
        phase.run(seconds * share, seed)
        phases.append(phase)
        print(f"    {name}: {phase.minutes:.1f} min, {len(phase.failures)} failures", file=sys.stderr, flush=True)

    phases, left_out = [], []
    load(files)
    phase("warm-up", 0.12, files, 1)
    for seed, (name, share, condition) in enumerate(conditions, 2):
        try:
            with condition() as paths:
                load(paths or files)
                phase(name, share, paths or files, seed * 1000)
        except OSError as error:
            left_out.append(f"{name}: {error}")
    load(files)
    return phases, left_out


def failures(daemon, phases, short):
    first, last = phases[0], phases[-1]
    for phase in phases:
        yield from (f"{phase.name}: {failure}" for failure in phase.failures[:5])
        # On a slow machine with busy loops, underruns cannot be avoided.
        if phase.underruns and not short:
            yield f"{phase.name}: {phase.underruns} underruns"
        if phase.at_rest["zombies"]:
            yield f"{phase.name}: {phase.at_rest['zombies']} zombies"
        if phase.at_rest["descriptors"] > first.at_rest["descriptors"]:
            yield f"{phase.name}: descriptors grew from {first.at_rest['descriptors']} to {phase.at_rest['descriptors']}"
        if phase.errors and abs(statistics.median(phase.errors)) > 0.05:
            yield f"{phase.name}: position is off by {statistics.median(phase.errors) * 1000:.0f} ms"
    if last.at_rest["memory"] - first.at_rest["memory"] > 1:
        yield f"private dirty memory grew from {first.at_rest['memory']:.2f} to {last.at_rest['memory']:.2f} MB"
    if first.errors and last.errors:
        drift = statistics.median(last.errors) - statistics.median(first.errors)
        if abs(drift) > 0.02:
            yield f"the position drifted by {drift * 1000:.0f} ms"
    if not daemon.is_alive:
        yield "the daemon exited"


def main():
    parser = argparse.ArgumentParser(prog="contrib/soak", description="Plays for a long time under difficult conditions.")
    parser.add_argument("--minutes", type=float, default=60, metavar="N", help="duration (default: 60)")
    parser.add_argument("--short", action="store_true",
                        help="half a minute with busy loops, without criteria that depend on the speed of the machine")
    parser.add_argument("--radio", action="store_true",
                        help="plays a station that disconnects every three seconds instead")
    parser.add_argument("--bin", type=pathlib.Path, metavar="FOLDER", help="folder of the programs (default: .build/release)")
    options = parser.parse_args()
    if options.bin:
        Daemon.build = options.bin.resolve()
    seconds = 30 if options.short else options.minutes * 60
    with Sandbox() as sandbox, Pulse(sandbox) as pulse:
        if options.radio:
            with Daemon(sandbox) as daemon:
                found = radio.soak(daemon, pulse, sandbox.folder("music"), seconds)
                if found:
                    print("End of the daemon's log:", *daemon.log.read_text().splitlines()[-10:], sep="\n  ")
            return report(found)
        files, lengths = tracks.make(sandbox.folder("music"), 300 if seconds > 300 else 60)
        numbers = {file.as_uri(): index // 2 + 1 for index, file in enumerate(files) if index % 2 == 0}
        with Daemon(sandbox) as daemon, OutputRecorder(pulse.environment, lengths) as recorder:
            connection = daemon.connect()
            connection.call("queue.add", uris=[file.as_uri() for file in files])
            found = [] if options.short else measure_hostile_clients(daemon, connection, max(5, min(60, seconds * 0.1)))
            every = planned_conditions(daemon, sandbox.folder("slow"))
            if options.short:
                every = [(name, 0.7, condition) for name, _, condition in itertools.islice(every, 1)]
            phases, left_out = soak(daemon, connection, recorder, files, numbers, every, seconds * 0.85)
            table(transposed([Phase.headings] + [phase.row() for phase in phases]))
            stats = connection.call("daemon.stats")
            print("daemon.stats: " + ", ".join(f"{name} {value}" for name, value in stats.items()))
            for line in left_out:
                print(f"skipped: {line}")
            found += failures(daemon, phases, options.short)
            if found:
                print("End of the daemon's log:", *daemon.log.read_text().splitlines()[-10:], sep="\n  ")
    report(found)


def report(found):
    for failure in found:
        print(f"FAILED: {failure}")
    print("FAILED" if found else "Passed.")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
