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

from . import strain, tracks
from .daemon import Daemon
from .ear import Ear
from .stage import Stage


def table(rows):
    widths = [max(len(str(row[column])) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(str(cell).rjust(width) if index else str(cell).ljust(width)
                        for index, (cell, width) in enumerate(zip(row, widths))))


def turned(rows):
    return list(zip(*rows))


def latencies(connection, seconds):
    """Of `status`, asked as fast as it is answered: milliseconds, in order."""
    found = []
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        begin = time.monotonic()
        connection.call("status")
        found.append((time.monotonic() - begin) * 1000)
        time.sleep(0.001)
    return sorted(found)


def crowd(daemon, connection, seconds):
    """What a good client notices of a thousand bad ones; the complaints."""
    # The first time, libraries are loaded and the sound server is met.
    connection.call("play")
    time.sleep(1)
    before = daemon.rest(connection)
    connection.call("play")
    time.sleep(1)
    alone = latencies(connection, 3)
    underruns = connection.call("status")["output"]["underruns"]
    words = [sys.executable, "-m", "segue_soak.crowd", str(daemon.socket)]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        process.stdout.readline()
        beside = latencies(connection, seconds)
        memory = daemon.memory
        process.stdin.close()
        deeds = json.loads(process.stdout.readline())
    finally:
        end(process)
    deadline = time.monotonic() + 60
    while connection.call("daemon.stats")["clients"] > 2 and time.monotonic() < deadline:
        time.sleep(0.1)
    underruns = connection.call("status")["output"]["underruns"] - underruns
    after = daemon.rest(connection)
    p99 = [found[len(found) * 99 // 100] for found in (alone, beside)]
    print("The crowd: " + ", ".join(f"{count} {name}" for name, count in deeds.items()))
    table([["a good client's status", "asked", "median, ms", "p99, ms", "largest, ms"]] + [
        [name, len(found), f"{found[len(found) // 2]:.2f}", f"{found[len(found) * 99 // 100]:.2f}",
         f"{found[-1]:.2f}"] for name, found in (("alone", alone), ("beside the crowd", beside))])
    print(f"memory: {before['memory']:.1f} MB before, {memory:.1f} beside the crowd, {after['memory']:.1f} after; "
          f"descriptors {before['descriptors']} and {after['descriptors']}; underruns {underruns}\n")
    return [complaint for complaint, holds in (
        (f"the crowd: p99 of status is {p99[1]:.1f} ms", p99[1] < 5),
        (f"the crowd: {memory:.0f} MB are taken", memory < 192),
        (f"the crowd: {after['memory'] - before['memory']:.1f} MB stay", after["memory"] - before["memory"] < 2),
        (f"the crowd: descriptors stay ({before['descriptors']}, {after['descriptors']})",
         after["descriptors"] <= before["descriptors"]),
        (f"the crowd: {underruns} underruns", underruns == 0)) if not holds]


def conditions(daemon, folder):
    """Name, share of the time, and what holds meanwhile, which gives the files, or None for all."""
    cores = len(os.sched_getaffinity(0))
    compressed = tracks.compressed()
    yield f"{cores} busy loops", 0.3, lambda: strain.busy(cores)
    yield "plain", 0.2, contextlib.nullcontext
    yield "a second a read", 0.2, lambda: strain.slow_disk(folder, compressed, 1.0)
    yield "48 MB of memory", 0.18, lambda: strain.scarce_memory(daemon.pid, 48 << 20)


def soak(daemon, connection, ear, files, numbers, conditions, seconds):
    """Every condition for its share of the time; the stages, and what could not be had."""
    def load(paths):
        connection.call("queue.clear")
        connection.call("queue.add", uris=[path.as_uri() for path in paths])

    def stage(name, share, paths, seed):
        stage = Stage(name, daemon, connection, ear, paths, numbers)
        stage.run(seconds * share, seed)
        stages.append(stage)
        print(f"    {name}: {stage.minutes:.1f} min, {len(stage.failures)} failures", file=sys.stderr, flush=True)

    stages, left_out = [], []
    load(files)
    stage("warm-up", 0.12, files, 1)
    for seed, (name, share, condition) in enumerate(conditions, 2):
        try:
            with condition() as paths:
                load(paths or files)
                stage(name, share, paths or files, seed * 1000)
        except OSError as error:
            left_out.append(f"{name}: {error}")
    load(files)
    return stages, left_out


def complaints(daemon, stages, short):
    first, last = stages[0], stages[-1]
    for stage in stages:
        yield from (f"{stage.name}: {failure}" for failure in stage.failures[:5])
        # On a slow machine between busy loops nobody can do without.
        if stage.underruns and not short:
            yield f"{stage.name}: {stage.underruns} underruns"
        if stage.at_rest["zombies"]:
            yield f"{stage.name}: {stage.at_rest['zombies']} zombies"
        if stage.at_rest["descriptors"] > first.at_rest["descriptors"]:
            yield f"{stage.name}: descriptors grew from {first.at_rest['descriptors']} to {stage.at_rest['descriptors']}"
        if stage.errors and abs(statistics.median(stage.errors)) > 0.05:
            yield f"{stage.name}: position is off by {statistics.median(stage.errors) * 1000:.0f} ms"
    if last.at_rest["memory"] - first.at_rest["memory"] > 1:
        yield f"private dirty memory grew from {first.at_rest['memory']:.2f} to {last.at_rest['memory']:.2f} MB"
    if first.errors and last.errors:
        drift = statistics.median(last.errors) - statistics.median(first.errors)
        if abs(drift) > 0.02:
            yield f"the position drifted by {drift * 1000:.0f} ms"
    if not daemon.is_alive:
        yield "the daemon has ended"


def main():
    parser = argparse.ArgumentParser(prog="contrib/soak", description="Plays for long under bad conditions.")
    parser.add_argument("--minutes", type=float, default=60, metavar="N", help="how long (60)")
    parser.add_argument("--short", action="store_true",
                        help="half a minute between busy loops, judged by nothing that depends on the machine's speed")
    parser.add_argument("--bin", type=pathlib.Path, metavar="FOLDER", help="where the programs lie (.build/release)")
    options = parser.parse_args()
    if options.bin:
        Daemon.programs = (str(options.bin.resolve() / "segued"),)
    seconds = 30 if options.short else options.minutes * 60
    with Sandbox() as sandbox, Pulse(sandbox) as pulse:
        files, lengths = tracks.make(sandbox.folder("music"), 300 if seconds > 300 else 60)
        numbers = {file.as_uri(): index // 2 + 1 for index, file in enumerate(files) if index % 2 == 0}
        with Daemon(sandbox) as daemon, Ear(pulse.environment, lengths) as ear:
            connection = daemon.connect()
            connection.call("queue.add", uris=[file.as_uri() for file in files])
            found = [] if options.short else crowd(daemon, connection, max(5, min(60, seconds * 0.1)))
            every = conditions(daemon, sandbox.folder("slow"))
            if options.short:
                every = [(name, 0.7, condition) for name, _, condition in itertools.islice(every, 1)]
            stages, left_out = soak(daemon, connection, ear, files, numbers, every, seconds * 0.85)
            table(turned([Stage.headings] + [stage.row() for stage in stages]))
            stats = connection.call("daemon.stats")
            print("daemon.stats: " + ", ".join(f"{name} {value}" for name, value in stats.items()))
            for line in left_out:
                print(f"left out: {line}")
            found += complaints(daemon, stages, options.short)
            if found:
                print("The daemon's last words:", *daemon.log.read_text().splitlines()[-10:], sep="\n  ")
    for complaint in found:
        print(f"NOT WELL: {complaint}")
    print("NOT WELL" if found else "All is well.")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
