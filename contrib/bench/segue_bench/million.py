"""A library of 1,000,000 tracks that are not there: LibraryBench fills it as a scan would. What is asked of it over the
socket, one question after another, and what it takes of memory."""

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
titles, pages, long_pages = 150, 500, 200


class Filled(Segue):
    """One whose music folder is away, with all that LibraryBench has put there."""

    def prepare(self):
        super().prepare()
        settings = pathlib.Path(self.environment["XDG_CONFIG_HOME"]) / "segue"
        (settings / "segue.conf").write_text("[Library]\nMusicFolder=/music\n")


def million(bench, kind):
    """Opening it, memory, and the times of search, suggest and pages of albums."""
    if kind is not Segue:
        return
    count = quick_tracks if bench.rounds == 1 else tracks
    note = lambda what, value, places: bench.note(Figure(f"{count:,} tracks: {what}", places), kind, value)
    player = Filled(bench.sandbox)
    put(filled(bench, count), player)
    with player:
        note("start: exec to the first answer, ms", player.start_seconds * 1000, 1)
        note("the first page of albums, ms", asked(player, "library.albums"), 2)
        player.scanned()
        if (found := player.found()) != count:
            raise RuntimeError(f"segued has {found:,} of {count:,} tracks")
        chance = random.Random(1)
        times = {"search while typing": [], "suggest while typing": []}
        for text in typed(player, chance, count):
            times["search while typing"].append(
                asked(player, "library.search", query=text, type="track", limit=50, remember=False))
            times["suggest while typing"].append(asked(player, "library.suggest", prefix=text))
        albums = player.call("library.status")["albums"]
        for what, limit, rounds in (("50", 50, pages), ("1,000", 1000, long_pages)):
            times[f"a page of {what} albums"] = [page(player, chance, albums, limit) for _ in range(rounds)]
        most = account.memory(player.pid)
        for what, values in times.items():
            values.sort()
            note(f"{what}, median, ms", values[len(values) // 2], 2)
            note(f"{what}, 99th percentile, ms", values[len(values) * 99 // 100], 2)
        note("private dirty memory while it is asked, MB", most, 1)
        time.sleep(2)
        note("private dirty memory after it, MB", account.memory(player.pid), 1)
    player.forget()


def typed(player, chance, count):
    """What stands in the field while somebody types titles that are there, of up to three words."""
    for _ in range(titles):
        page = player.call("library.tracks", sort="title", offset=chance.randrange(count), limit=1)
        title = " ".join(page["tracks"][0]["metadata"]["title"].split()[:3])
        for length in range(1, len(title) + 1):
            if not title[length - 1].isspace():
                yield title[:length]


def page(player, chance, albums, limit):
    """One that lies anywhere in any of the lists."""
    return asked(player, "library.albums", sort=chance.choice(["title", "artist", "year", "added"]),
                 order=chance.choice(["ascending", "descending"]), offset=chance.randrange(albums), limit=limit)


def asked(player, method, **params):
    """How many milliseconds it is until the whole answer is there; reading what it says is not its time."""
    request = json.dumps({"method": method, "params": params, "id": 1}) + "\n"
    begin = time.monotonic()
    answer = player.ask(request)
    milliseconds = (time.monotonic() - begin) * 1000
    if "error" in json.loads(answer):
        raise RuntimeError(f"{method}: {answer}")
    return milliseconds


def filled(bench, count):
    """The file, made once for all rounds."""
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
