"""The section `library`: scanning a folder of tagged files, and searching in what was found. The first scan counts
from exec, since players begin with it by themselves. All files are in the page cache."""

import statistics
import time

from . import account, collection
from .figures import Figure

count, quick_count = 10_000, 2_000
searches = 200


def library(bench, kind):
    """A first scan, one in which nothing has changed, searches, and memory after it."""
    if not kind.has_library:
        return
    folder, words = music(bench)
    note = lambda what, value, places: bench.note(Figure(f"{bench.collected:,} files: {what}", places), kind, value)
    fresh = kind(bench.sandbox, folder)
    fresh.forget()
    begin = time.monotonic()
    with fresh as player:
        seconds = player.scanned() - begin
        note("first scan, s", seconds, 2)
        note("first scan, CPU s", account.cpu_seconds(account.family(player.pid)), 2)
        if not player.can_search:
            return
        if (found := player.found()) != bench.collected:
            raise RuntimeError(f"{kind.name} found {found:,} of {bench.collected:,} files")
        rounds = [again(player) for _ in range(3)]
        note("scan again, nothing changed, s", statistics.median(seconds for seconds, _ in rounds), 3)
        note("scan again, CPU s", statistics.median(cpu for _, cpu in rounds), 3)
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


def music(bench):
    """Made once for all players, and read once: what is measured is no disk."""
    if not hasattr(bench, "collection"):
        bench.collected = quick_count if bench.rounds == 1 else count
        folder = bench.sandbox.folder("collection")
        bench.collection = folder, collection.make(folder, bench.collected)
    folder, words = bench.collection
    for file in folder.rglob("*.*"):
        if file.is_file():
            file.read_bytes()
    return folder, words


def again(player):
    """Seconds, and seconds of processor, of another scan."""
    begin, cpu = time.monotonic(), account.cpu_seconds(account.family(player.pid))
    player.scan()
    return player.scanned() - begin, account.cpu_seconds(account.family(player.pid)) - cpu
