"""Compares the durations that a real worker reports for files with the durations of the decoded audio.

An `exact` duration is wrong if it differs from that of the decoded frames by a nanosecond. An `estimated` duration is
far off if it differs by more than a tenth and a second.

The end of a file is early if less was decoded than the file was said to have, or less than FFmpeg decodes. An early end
without a reason is silent.
"""
import argparse
import collections
import concurrent.futures
import os
import random
import subprocess
import sys
import tempfile

# Larger files are skipped, because their damaged copies could fill the disk.
MAXIMUM_SIZE = 64 << 20
# Copies are truncated to these shares of the file, and by these numbers of bytes.
SHARES = (0.02, 0.1, 0.25, 0.5, 0.75, 0.9, 0.97, 0.99)
MISSING_BYTES = (1, 2, 100, 1000)

Row = collections.namedtuple(
    "Row", "path library library_kind played played_kind decoded format rate reason whole")
# Ends up to so many nanoseconds early are not reported: delay and padding, which FFmpeg may not cut off.
TOLERANCE = 100_000_000


def variants(data, generator):
    """Yields the file unchanged, truncated at several places, with damaged headers, and with data after its end."""
    yield "whole", data
    for share in SHARES:
        yield "%g%%" % (share * 100), data[:int(len(data) * share)]
    for count in MISSING_BYTES:
        if count < len(data):
            yield "-%d" % count, data[:-count]
    for number in range(8):
        damaged = bytearray(data)
        for _ in range(1 + number // 2):
            if damaged:
                damaged[generator.randrange(min(len(damaged), 100))] = generator.randrange(256)
        yield "damaged%d" % number, bytes(damaged)
    yield "id3v1", data + b"TAG" + bytes(125)
    yield "junk", data + bytes(generator.randrange(256) for _ in range(5000))


def files_below(folders):
    for folder in folders:
        if os.path.isfile(folder):
            yield folder
        for root, _, names in sorted(os.walk(folder)):
            for name in sorted(names):
                yield os.path.join(root, name)


def measure(program, paths):
    """Returns a row for each of `paths`."""
    result = subprocess.run([program], input="".join(path + "\n" for path in paths), capture_output=True, text=True)
    rows = []
    for line in result.stdout.splitlines():
        parts = line.split("\t")
        if len(parts) == len(Row._fields) - 1:
            number = lambda text: None if text == "-" else int(text)
            rows.append(
                Row(parts[0], number(parts[1]), parts[2], number(parts[3]), parts[4], number(parts[5]), *parts[6:], None))
    if len(rows) < len(paths):
        sys.exit("the program durations ended after %d of %d files: %s"
                 % (len(rows), len(paths), result.stderr[-2000:]))
    return rows


def reference(row):
    """Returns the duration of the audio in nanoseconds that FFmpeg decodes; None if there is none."""
    if not int(row.rate):
        return None
    result = subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "quiet", "-i", row.path, "-map", "0:a:0", "-ac", "1", "-ar", row.rate,
         "-f", "u8", "-"], stdout=subprocess.PIPE, check=False)
    return len(result.stdout) * 1_000_000_000 // int(row.rate) or None


def is_silent_end(row):
    """Returns whether decoding ended early without a reason."""
    if row.decoded is None or row.reason != "-":
        return False
    stated = [length for length, kind in ((row.library, row.library_kind), (row.played, row.played_kind))
              if length is not None and kind == "exact"]
    return any(length > row.decoded + TOLERANCE for length in stated + [row.whole or 0])


def print_seeks(program, paths):
    """Prints a table of the faults of seeks to five places of each file. Returns the number of files with a fault."""
    result = subprocess.run([program, "seeks"], input="".join(path + "\n" for path in paths), capture_output=True, text=True)
    faulty = 0
    for line in result.stdout.splitlines():
        path, form, decoded, stop, *places = line.split("\t")
        seconds = "%.6f" % (int(decoded) / 1e9) if decoded != "-" else "-"
        faults = [place for place in places if place != "-"]
        faulty += bool(faults) or not places
        print("%-40s %-18s %12s  %s" % (os.path.basename(path), form, seconds, "; ".join(faults) or "right"
                                        if places else stop))
    print("%d files, %d with a fault" % (len(result.stdout.splitlines()), faulty))
    return faulty


def verdict_on(stated, kind, decoded):
    if stated is None or decoded is None or kind not in ("exact", "estimated"):
        return "unplayable" if kind == "exact" and decoded is None else None
    if kind == "exact":
        return "right" if stated == decoded else "wrong"
    return "far" if abs(stated - decoded) > decoded / 10 + 1e9 else "near"


def main():
    parser = argparse.ArgumentParser(prog="contrib/durations/run", description=__doc__.split("\n")[0])
    parser.add_argument("--program", help=argparse.SUPPRESS)
    parser.add_argument("folders", nargs="+", metavar="FOLDER", help="folder of media files, or a file")
    parser.add_argument("--damage", action="store_true", help="measure truncated and damaged copies as well")
    parser.add_argument("--seeks", action="store_true",
                        help="compare the audio after seeks to five places with that of the whole file")
    parser.add_argument("--seed", type=int, default=1, help="seed of the damage (default: 1)")
    parser.add_argument("--ffmpeg", action="store_true", help="compare with the audio that FFmpeg decodes as well")
    parser.add_argument("--list", action="store_true", help="list every file whose duration is wrong or far off")
    options = parser.parse_args()
    if options.seeks:
        return 1 if print_seeks(options.program, [p for p in files_below(options.folders) if "\n" not in p]) else 0
    generator = random.Random(options.seed)
    counts = collections.Counter()
    found = []

    def count(rows, names):
        for row, name in zip(rows, names):
            reported = ("library", row.library, row.library_kind), ("playing", row.played, row.played_kind)
            if is_silent_end(row):
                counts["silent"] += 1
                found.append(("silent", "ffmpeg", name, row, row.whole or row.played or 0))
            if row.decoded is not None:
                for source, stated, _ in reported:
                    counts[source, "without"] += stated is None
                    if stated is None:
                        found.append(("without", source, name, row, 0))
            for source, stated, kind in reported:
                verdict = verdict_on(stated, kind, row.decoded)
                if verdict:
                    counts[source, verdict] += 1
                if verdict in ("wrong", "far", "unplayable"):
                    found.append((verdict, source, name, row, stated))

    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:

        def examine(paths):
            rows = measure(options.program, paths)
            return [row._replace(whole=reference(row)) for row in rows] if options.ffmpeg else rows

        def handle(job):
            number, (path, seed) = job
            if not options.damage:
                return examine([path]), [path]
            copies, names = [], []
            with open(path, "rb") as file:
                data = file.read()
            for kind, content in variants(data, random.Random(seed)):
                copy = os.path.join(work, "%d-%s%s" % (number, kind.strip("%"), os.path.splitext(path)[1]))
                with open(copy, "wb") as file:
                    file.write(content)
                copies.append(copy)
                names.append("%s (%s)" % (path, kind))
            rows = examine(copies)
            for copy in copies:
                os.remove(copy)
            return rows, names

        paths = [p for p in files_below(options.folders) if "\n" not in p and os.path.getsize(p) <= MAXIMUM_SIZE]
        jobs = [(path, generator.randrange(1 << 30)) for path in paths]
        for rows, names in pool.map(handle, enumerate(jobs)):
            count(rows, names)

    for verdict, source, name, row, stated in found if options.list else []:
        seconds = "%.6f" % (row.decoded / 1e9) if row.decoded is not None else "no audio"
        print("%-10s %s %s: reported %.6f s, decoded %s (%s at %s Hz; %s)"
              % (verdict, source, name, stated / 1e9, seconds, row.format, row.rate, row.reason))
    for source in ("library", "playing"):
        exact = counts[source, "right"] + counts[source, "wrong"]
        share = 100 * counts[source, "right"] / exact if exact else 100
        print("%s: %d exact, of which %d are right (%.2f %%), %d more of unplayable files; %d estimated, of "
              "which %d are far off; %d without a duration"
              % (source, exact, counts[source, "right"], share, counts[source, "unplayable"],
                 counts[source, "near"] + counts[source, "far"], counts[source, "far"], counts[source, "without"]))
    print("%d files end early without a reason" % counts["silent"])
    wrong = counts["library", "wrong"] + counts["playing", "wrong"]
    exact = wrong + counts["library", "right"] + counts["playing", "right"]
    return 1 if wrong > 0.001 * exact else 0


if __name__ == "__main__":
    sys.exit(main())
