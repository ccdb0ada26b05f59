"""Measures requests to a library of 1,000,000 tracks and its memory. LibraryBench fills the database as a scan would; the
files do not exist."""

import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import time

from . import account
from .figures import Figure
from .players import Segue

tracks, quick_tracks = 1_000_000, 50_000
root = pathlib.Path(__file__).resolve().parents[3]
scratch = root / ".build/bench"
titles, pages, long_pages, narrowed = 150, 500, 200, 300


class Filled(Segue):
    """A daemon with the database that LibraryBench has filled, whose music folder is unavailable."""

    def prepare(self):
        super().prepare()
        settings = pathlib.Path(self.environment["XDG_CONFIG_HOME"]) / "segue"
        (settings / "segue.conf").write_text("[Library]\nMusicFolder=/music\n")


def million(bench, kind):
    """Measures the start, memory, searches, suggestions and pages of albums."""
    if kind is not Segue:
        return
    count = quick_tracks if bench.rounds == 1 else tracks
    note = lambda what, value, places: bench.note(Figure(f"{count:,} tracks: {what}", places), kind, value)
    player = Filled(bench.sandbox)
    put(filled(bench, count), player)
    with player:
        note("start: exec to the first answer, ms", player.start_seconds * 1000, 1)
        note("the first page of albums, ms", asked(player, "library.albums")[0], 2)
        player.scanned()
        if (found := player.found()) != count:
            raise RuntimeError(f"segued has {found:,} of {count:,} tracks")
        chance = random.Random(1)
        times = {"search while typing": [], "suggest while typing": []}
        for text in typed(player, chance, count):
            times["search while typing"].append(searched(player, text))
            times["suggest while typing"].append(asked(player, "library.suggest", prefix=text))
        times["search with filters"] = [searched(player, text) for text in filters(player, chance, count)]
        albums = player.call("library.status")["albums"]
        for what, limit, rounds in (("50", 50, pages), ("1,000", 1000, long_pages)):
            times[f"a page of {what} albums"] = [page(player, chance, albums, limit) for _ in range(rounds)]
        most = account.memory(player.pid)
        for what, values in times.items():
            clock, processor = (sorted(value) for value in zip(*values))
            note(f"{what}, median, ms", clock[len(clock) // 2], 2)
            note(f"{what}, 99th percentile, ms", clock[len(clock) * 99 // 100], 2)
            note(f"{what}, 99th percentile of its CPU, ms", processor[len(processor) * 99 // 100], 2)
        note("private dirty memory while it is asked, MB", most, 1)
        time.sleep(2)
        note("private dirty memory after it, MB", account.memory(player.pid), 1)
    player.forget()


def typed(player, chance, count):
    """Yields the prefixes that a user types while searching for the first three words of existing titles."""
    for _ in range(titles):
        title = " ".join(titled(player, chance, count).split()[:3])
        for length in range(1, len(title) + 1):
            if not title[length - 1].isspace():
                yield title[:length]


def filters(player, chance, count):
    """Yields words and prefixes of titles with filters."""
    genres = ["rock", "pop", "jazz", "classical", "hip-hop", "metal", "folk", "электроника", "soundtrack"]
    for _ in range(narrowed // 6):
        words = titled(player, chance, count).split()
        genre, format = chance.choice(genres), chance.choice(["flac", "mp3", "opus", "aac"])
        first = chance.randrange(1960, 2010)
        years = f"year:{first}..{first + chance.choice([0, 3, 9, 20])}"
        yield f"{words[0]} genre:{genre} format:{format}"
        yield f"{words[0][:3]} genre:{genre}"
        yield f"{words[-1]} format:{format}"
        yield f"{years} {words[0]}"
        yield f"{words[-1][:2]} {words[0]} {years}"
        yield f"genre:{genre} {years}"


def titled(player, chance, count):
    page = player.call("library.tracks", sort="title", offset=chance.randrange(count), limit=1)
    return page["tracks"][0]["metadata"]["title"]


def page(player, chance, albums, limit):
    """Requests a random page of a random list."""
    return asked(player, "library.albums", sort=chance.choice(["title", "artist", "year", "added"]),
                 order=chance.choice(["ascending", "descending"]), offset=chance.randrange(albums), limit=limit)


def searched(player, text):
    return asked(player, "library.search", query=text, type="track", limit=50, remember=False)


def asked(player, method, **params):
    """Returns the milliseconds until the whole response has arrived, without parsing it, and the milliseconds of CPU time that the
    daemon used."""
    request = json.dumps({"method": method, "params": params, "id": 1}) + "\n"
    processor = (~player.pid << 3) | 2   # clock_getcpuclockid(3)
    begin, used = time.monotonic(), time.clock_gettime(processor)
    answer = player.ask(request)
    milliseconds = (time.monotonic() - begin) * 1000, (time.clock_gettime(processor) - used) * 1000
    if "error" in json.loads(answer):
        raise RuntimeError(f"{method}: {answer}")
    return milliseconds


def filled(bench, count):
    """Returns the database, which is made once for all rounds."""
    file = bench.sandbox.folder("million") / f"{count}.db"
    if not file.exists():
        print(f"    filling a library of {count:,} tracks", file=sys.stderr, flush=True)
        build = ["swift", "build", "-c", "release", "--product", "LibraryBench", "--scratch-path", str(scratch)]
        subprocess.run(build, cwd=root, env={**os.environ, "SEGUE_BENCH": "1"}, stdout=sys.stderr, check=True)
        subprocess.run([scratch / "release/LibraryBench", "fill", file, str(count)], check=True)
    return file


def put(file, player):
    player.forget()
    player.state.mkdir(mode=0o700, parents=True, exist_ok=True)
    shutil.copyfile(file, player.state / "library.db")
    os.sync()   # otherwise the disk would be busy during the measurement
