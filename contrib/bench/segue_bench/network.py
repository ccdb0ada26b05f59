"""Measures files on a server, a station and online catalogues, with the same server for every player."""

import time

from . import account, monitor, music
from .catalogs import catalogs
from .figures import Figure
from .web import WebServer


def network(bench, kind):
    """Measures the time from a command to its effect for URLs, the cost of a station, and requests to catalogues."""
    with WebServer(bench.sandbox.folder("music")) as web:
        if kind.plays_files_by_http:
            for codec, name in (("FLAC", "seek.flac"), ("MP3", "seek.mp3")):
                actions(bench, kind, codec, web.url(name))
        station(bench, kind, web.url("station"))
        catalogs(bench, kind, web)


def actions(bench, kind, codec, url):
    def note(what, begin, moment):
        if moment is None:
            raise RuntimeError(f"{kind.name}: {what}: the monitor heard nothing of it")
        bench.note(Figure(f"{codec} by HTTP: {what}, ms", 1), kind, (moment - begin) * 1000)

    with kind(bench.sandbox) as player, monitor.Monitor(bench.environment) as heard:
        for round in range(bench.rounds + 1):
            player.load(url)
            time.sleep(0.5)
            begin = time.monotonic()
            player.play()
            moment = heard.first_sound(begin)
            # The first round starts the processes that the others use again.
            if round > 0:
                note("play to sound", begin, moment)
            time.sleep(1)
            for target, channel in ((music.half + 20, monitor.right), (20, monitor.left)):
                begin = time.monotonic()
                player.seek(target)
                note("seek to the new sound", begin, heard.first_sound(begin, channel))
                time.sleep(1)
            player.stop()
            time.sleep(0.5)


def station(bench, kind, url):
    with kind(bench.sandbox) as player:
        player.load(url)
        player.play()
        time.sleep(10)  # until what the station sends at once is played
        if not bench.pulse.is_played_to:
            raise RuntimeError(f"{kind.name} does not play the station")
        cpu, switches = account.watch(player.pid, 2 * bench.seconds)
        bench.note(Figure("station, MP3: CPU, player, s per minute", 3), kind, cpu * 60)
        bench.note(Figure("station, MP3: context switches a second", 1), kind, switches)
