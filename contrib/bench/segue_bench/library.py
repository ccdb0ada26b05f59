"""The sections of the library: a first scan of tagged files, a scan without changes, a scan during playback, and searches. A
first scan is measured from exec, because players begin it by themselves. All files are in the page cache."""

import statistics
import time

from . import account, collection
from .figures import Figure
from .monitor import Silence

count, quick_count = 10_000, 2_000
many, quick_many = 100_000, 20_000
searches = 200


def library(bench, kind):
    """Measures a first scan, a scan without changes, searches, and the memory afterwards."""
    if not kind.has_library:
        return
    folder, words, files = music(bench, count, quick_count)
    note = lambda what, value, places: bench.note(Figure(f"{files:,} files: {what}", places), kind, value)
    with fresh(bench, kind, folder) as player:
        seconds = player.scanned() - player.began
        note("first scan, s", seconds, 2)
        note("first scan, CPU s", account.cpu_seconds(account.family(player.pid)), 2)
        if not player.can_search:
            return
        again(player, files, note)
        times = []
        for number in range(searches):
            begin = time.monotonic()
            player.search(words[number * 7 % len(words)][:1 + number % 5])
            times.append((time.monotonic() - begin) * 1000)
        times.sort()
        note("search while typing, median, ms", times[searches // 2], 2)
        note("search while typing, 99th percentile, ms", times[searches * 99 // 100], 2)
        time.sleep(2)
        note("private dirty memory after it, MB", account.memory(player.pid), 1)
    with kind(bench.sandbox, folder) as player:
        note("start with the index there, ms", player.start_seconds * 1000, 1)


def rescan(bench, kind):
    """Measures a scan of many files without changes."""
    if not kind.can_search:
        return
    folder, _, files = music(bench, many, quick_many, seconds=0.1)
    with fresh(bench, kind, folder) as player:
        player.scanned()
        again(player, files, lambda what, value, places: bench.note(
            Figure(f"{files:,} files: {what}", places), kind, value))


def scanning(bench, kind):
    """Measures playback and response times during a first scan."""
    if not kind.can_search:
        return
    folder, _, files = music(bench, count, quick_count)
    note = lambda what, value, places: bench.note(
        Figure(f"{files:,} files, scanned while it plays: {what}", places), kind, value)
    times = []
    with Silence(bench.environment) as silence, fresh(bench, kind, folder) as player:
        player.load(bench.files["seek"])
        player.play()
        while player.is_scanning() or not times:
            for _ in range(20):
                begin = time.monotonic()
                player.ask(player.question)
                times.append((time.monotonic() - begin) * 1000)
                time.sleep(0.001)
        times.sort()
        note("status, 99th percentile, ms", times[len(times) * 99 // 100], 2)
        note("silence between sounds, ms", silence.milliseconds, 1)
        if (underruns := player.underruns()) is not None:
            note("underruns it counts", underruns, 0)


def fresh(bench, kind, folder):
    """Returns a player without an index of the folder."""
    player = kind(bench.sandbox, folder)
    player.forget()
    return player


def music(bench, count, quick_count, seconds=2):
    """Returns the folder, the words of its titles and the number of files. It is made once and read once, so that the disk is
    not measured."""
    count = quick_count if bench.rounds == 1 else count
    folder = bench.sandbox.folder(f"collection of {count}")
    if count not in bench.collections:
        bench.collections[count] = collection.make(folder, count, seconds)
    for file in folder.rglob("*.*"):
        if file.is_file():
            file.read_bytes()
    return folder, bench.collections[count], count


def again(player, files, note):
    """Measures a scan that finds all files unchanged."""
    if (found := player.found()) != files:
        raise RuntimeError(f"{player.name} found {found:,} of {files:,} files")
    rounds = []
    for _ in range(3):
        begin, cpu = time.monotonic(), account.cpu_seconds(account.family(player.pid))
        player.scan()
        rounds.append((player.scanned() - begin, account.cpu_seconds(account.family(player.pid)) - cpu))
    note("scan again, nothing changed, s", statistics.median(seconds for seconds, _ in rounds), 3)
    note("scan again, CPU s", statistics.median(cpu for _, cpu in rounds), 3)
