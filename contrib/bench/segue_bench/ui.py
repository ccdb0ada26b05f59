"""Measures terminal interfaces with the same files in the queue, the first of which is paused: segue-ui, ncmpcpp for MPD, and cmus,
which is interface and player in one process."""

import os
import shutil
import sys
import time

from . import account, music
from .figures import Figure
from .library import music as collection
from .terminal import Terminal

lengths, quick_lengths = (20, 10_000, 50_000), (20, 2_000)
# The length with which CPU time and output are measured.
usual, quick_usual = 10_000, 2_000
# The place of a file in the middle of the screen.
middle = 9
keys = 200
# A frame is complete after this time without output, in seconds. It is longer than the time between two frames.
silence = 0.04


def ui(bench, kind):
    """Measures the first frame, the reaction to a key, and CPU time, output and memory."""
    player = kind(bench.sandbox)
    command = player.interface()
    if not command:
        return
    if not shutil.which(command[0]):
        print(f"    {command[0]} is not installed", file=sys.stderr)
        return
    os.sync()   # the pages of a program that was just built would count as dirty memory
    for length in quick_lengths if bench.rounds == 1 else lengths:
        files = queue(bench, length)
        if kind.is_interface:
            interfaces(bench, kind, player, files)
            continue
        with player:
            player.fill(files)
            account.settle(player.pid)
            interfaces(bench, kind, player, files)


def queue(bench, length):
    """Returns the files of the queue: a long one and a part of a collection."""
    count = max(length, usual)
    folder, _, _ = collection(bench, count, quick_usual, seconds=2 if count == usual else 0.1)
    files = sorted(file for file in folder.rglob("*.*") if file.is_file())
    return [bench.files["MP3"], *files[:length - 1]]


def interfaces(bench, kind, player, files):
    def note(what, value, places):
        bench.note(Figure(f"terminal interface, {len(files):,} tracks: {what}", places), kind, value)

    titles = [music.title(files[0]), music.title(files[middle]).split()[0]]
    for _ in range(2 * bench.rounds):
        with opened(player, files) as terminal:
            note("exec to the first frame, ms", (terminal.shown(titles) - terminal.began) * 1000, 1)
    with opened(player, files) as terminal:
        terminal.shown(titles)
        pid = terminal.process.pid
        account.settle(pid)
        if len(files) > keys:
            times = sorted(reaction(terminal) * 1000 for _ in range(keys))
            note("key to its frame, median, ms", times[keys // 2], 2)
            note("key to its frame, 99th percentile, ms", times[keys * 99 // 100], 2)
        clean, dirty = (account.memory(pid, f"Private_{kind_of_page}") for kind_of_page in ("Clean", "Dirty"))
        note("private memory, MB", clean + dirty, 1)
        note("private dirty memory, MB", dirty, 1)
        note("share of all memory (PSS), MB", account.memory(pid, "Pss"), 1)
        if len(files) != (quick_usual if bench.rounds == 1 else usual):
            return
        time.sleep(player.releases_late)
        watched(terminal, bench.idle, lambda what, value, places: note(f"paused, {what}", value, places))
        terminal.press(player.pause_key)
        time.sleep(3)
        watched(terminal, bench.seconds, lambda what, value, places: note(f"playing, {what}", value, places))
        if not bench.pulse.is_played_to:
            raise RuntimeError(f"{kind.name}: its interface does not resume after the key {player.pause_key}")


def opened(player, files):
    """Starts the interface."""
    if player.is_interface:
        player.fill(files)
    return Terminal(player.interface(), player.environment)


def reaction(terminal):
    """Returns the time from a key that moves the cursor down to the end of the output that follows."""
    begin = terminal.press("j")
    end = terminal.last_output(begin, silence)
    if end is None:
        raise RuntimeError(f"{terminal.process.args[0]} does not react to a key")
    return end - begin


def watched(terminal, seconds, note):
    """Measures CPU time, context switches and output."""
    received, begin = terminal.received, time.monotonic()
    cpu, switches = account.watch(terminal.process.pid, seconds)
    note("bytes of output a second", (terminal.received - received) / (time.monotonic() - begin), 1)
    note("CPU, ms a minute", cpu * 60_000, 2)
    note("context switches a second", switches, 2)
