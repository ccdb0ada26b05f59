"""Writes the table: all of it to RESULTS.md, and its most telling rows between two marks in contrib/docs/benchmarks.md."""

import pathlib
import re

from . import figures

folder = pathlib.Path(__file__).resolve().parents[1]
results = folder / "RESULTS.md"
page = folder.parent / "docs/benchmarks.md"
marks = "<!-- bench -->\n", "<!-- /bench -->\n"
# The rows that the page shows; RESULTS.md has all.
telling = {
    "FLAC: CPU, both, s per minute",
    "MP3: CPU, both, s per minute",
    "Opus: CPU, both, s per minute",
    "AAC: CPU, both, s per minute",
    "FLAC: context switches a second",
    "context switches a second, paused",
    "context switches a second, stopped",
    "private dirty memory, started, MB",
    "private dirty memory, playing, MB",
    "share of all memory (PSS), playing, MB",
    "start: exec to the first answer, ms",
    "play to sound, for the first time (no worker), ms",
    "play to sound, again, ms",
    "seek to the new sound, ms",
    "status, stopped: one at a time, median, µs",
    "status, stopped: pipelined, answers a second",
    "status, stopped: 100 connections, answers a second",
    "its own client's status, a process, median, ms",
    "FLAC by HTTP: seek to the new sound, ms",
    "FLAC by HTTP: play to sound, ms",
    "MP3 by HTTP: seek to the new sound, ms",
    "MP3 by HTTP: play to sound, ms",
    "station, MP3: CPU, player, s per minute",
    "station, MP3: context switches a second",
    "10,000 files: first scan, s",
    "10,000 files: search while typing, median, ms",
    "terminal interface, 10,000 tracks: exec to the first frame, ms",
    "terminal interface, 10,000 tracks: key to its frame, median, ms",
    "terminal interface, 10,000 tracks: private memory, MB",
    "terminal interface, 10,000 tracks: paused, context switches a second",
    "terminal interface, 10,000 tracks: playing, bytes of output a second",
}


def markdown(facts, table, repeats):
    rounds = "one round" if repeats == 1 else f"medians of {repeats} rounds"
    return "\n".join([
        "# Segue beside its peers",
        "",
        f"Printed by `contrib/bench/run`: {rounds}, in which the players took turns.",
        "",
        *(f"- {fact}" for fact in facts),
        "",
        table,
    ])


def write(text, table):
    results.write_text(text)
    begin, end = map(re.escape, marks)
    old = page.read_text()
    page.write_text(re.sub(f"({begin}).*?({end})", lambda found: found[1] + excerpt(table) + found[2], old, flags=re.S))


def merge(table):
    """Replaces the rows of `table` in RESULTS.md and the page, and adds those that are not there. The text that describes
    the run has to be written by hand."""
    text = results.read_text()
    description, old = text[:text.index("\n|") + 1], cells(text[text.index("\n|") + 1:])
    heading, *rows = cells(table)
    merged, place = old[1:], 0
    for label, *values in rows:
        found = dict(zip(heading[1:], values))
        row = [label, *(found.get(column, "–") for column in old[0][1:])]
        known = next((index for index, other in enumerate(merged) if other[0] == label), None)
        if known is None:
            merged.insert(place, row)
        else:
            place, merged[known] = known, row
        place += 1
    table = figures.markdown([old[0], *merged])
    write(description + table, table)


def cells(table):
    """Returns the rows of a table, without its rule."""
    heading, _, *rows = ([cell.strip() for cell in line[1:-1].split("|")] for line in table.splitlines())
    return [heading, *rows]


def excerpt(table):
    heading, rule, *rows = table.splitlines(keepends=True)
    return "".join([heading, rule, *(row for row in rows if row.strip("| \n").split("|")[0].strip() in telling)])
