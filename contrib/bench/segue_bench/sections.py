"""The sections of the benchmark. Each measures one player and records its figures."""

import math
import sys
import time

from . import account, monitor, music
from .budget import budget
from .clients import clients
from .cold import cold
from .figures import Figure
from .library import library, rescan, scanning
from .million import million
from .network import network
from .players import Segue
from .queues import queues
from .threads import threads
from .ui import ui

idle_memory = Figure("private dirty memory, started, MB", 1)
# The number of plays of which the 95th percentile is not the maximum.
first_play_count = 40
playing_memory = Figure("private dirty memory, playing, MB", 1)
playing_share = Figure("share of all memory (PSS), playing, MB", 1)


def playing(bench, kind):
    """Measures CPU, context switches and memory during playback of each codec, each in a new process."""
    for codec in music.codecs:
        with kind(bench.sandbox) as player:
            player.load(bench.files[codec])
            player.play()
            time.sleep(6)  # until the buffers are full
            server = account.cpu_seconds([bench.pulse.pid])
            begin = time.monotonic()
            cpu, switches = account.watch(player.pid, bench.seconds)
            server = (account.cpu_seconds([bench.pulse.pid]) - server) / (time.monotonic() - begin)
            if not bench.pulse.is_played_to:
                print(f"    {codec}: it does not play that", file=sys.stderr)
                continue
            bench.note(Figure(f"{codec}: CPU, player, s per minute of music", 3), kind, cpu * 60)
            bench.note(Figure(f"{codec}: CPU, sound server, s per minute", 3), kind, server * 60)
            bench.note(Figure(f"{codec}: CPU, both, s per minute", 3), kind, (cpu + server) * 60)
            bench.note(Figure(f"{codec}: context switches a second", 1), kind, switches)
            if codec == "FLAC":
                bench.note(playing_memory, kind, account.memory(player.pid))
                bench.note(playing_share, kind, account.memory(player.pid, "Pss"))


def quiet(bench, kind):
    """Measures context switches while paused and stopped, and the memory after the start."""
    with kind(bench.sandbox) as player:
        time.sleep(2)
        bench.note(idle_memory, kind, account.memory(player.pid))
        player.load(bench.files["MP3"])
        player.play()
        time.sleep(3)
        player.pause()
        time.sleep(player.releases_late + 3)
        bench.note(Figure("context switches a second, paused", 2), kind, account.watch(player.pid, bench.idle)[1])
        player.stop()
        time.sleep(player.releases_late + 3)
        bench.note(Figure("context switches a second, stopped", 2), kind, account.watch(player.pid, bench.idle)[1])


def start(bench, kind):
    """Measures the time from exec to the first response. The first start, which creates files, does not count."""
    with kind(bench.sandbox):
        pass
    for _ in range(3 * bench.rounds):
        player = kind(bench.sandbox)
        player.keeps_state = True
        with player:
            bench.note(Figure("start: exec to the first answer, ms", 1), kind, player.start_seconds * 1000)


def moments(bench, kind):
    """Measures the time from a command to its effect in the output, in milliseconds."""
    def note(what, seconds):
        if seconds is None:
            raise RuntimeError(f"{kind.name}: {what}: the monitor heard nothing of it")
        bench.note(Figure(f"{what}, ms", 1), kind, seconds * 1000)

    def timed(command, *arguments):
        begin = time.monotonic()
        command(*arguments)
        return begin

    first_plays(bench, kind)
    with kind(bench.sandbox) as player, monitor.Monitor(bench.environment) as heard:
        player.load(bench.files["seek"])
        player.play()
        for _ in range(bench.rounds):
            time.sleep(1)
            # Seeks to the other half of the file, whose tone is in the other channel.
            for target, channel in ((music.half + 20, monitor.right), (20, monitor.left)):
                begin = timed(player.seek, target)
                note("seek to the new sound", after(begin, heard.first_sound(begin, channel)))
                time.sleep(1)
            begin = timed(player.pause)
            note("pause to silence", after(begin, heard.last_sound(begin)))
            time.sleep(0.5)
            begin = timed(player.resume)
            note("resume to sound", after(begin, heard.first_sound(begin)))
            time.sleep(0.5)
            begin = timed(player.stop)
            note("stop to silence", after(begin, heard.last_sound(begin)))
            time.sleep(0.5)
            begin = timed(player.play)
            note("play to sound, again", after(begin, heard.first_sound(begin)))


def first_plays(bench, kind):
    """Measures the time from the first play of a new process to its sound, in milliseconds. One play in a hundred is late, because
    the sound server delays it: a single one says little."""
    times = []
    for _ in range(first_play_count):
        with kind(bench.sandbox) as player, monitor.Monitor(bench.environment) as heard:
            player.load(bench.files["seek"])
            if kind is Segue:
                player.cool()
            else:
                time.sleep(1)
            begin = time.monotonic()
            player.play()
            seconds = after(begin, heard.first_sound(begin))
            # A play of which nothing was heard is later than every other one.
            times.append(math.inf if seconds is None else seconds * 1000)
    times.sort()
    what = "play to sound, for the first time (no worker)"
    for name, percentage in (("", 50), (", 95th percentile", 95)):
        value = times[len(times) * percentage // 100]
        if value < math.inf:
            bench.note(Figure(f"{what}{name}, ms", 1), kind, value)
    bench.note(Figure(f"{what}: not heard within 5 s, of {first_play_count}"), kind, times.count(math.inf))


def after(begin, moment):
    return None if moment is None else moment - begin


def answers(bench, kind):
    """Measures status requests, one at a time and concurrently."""
    with kind(bench.sandbox) as player:
        loads(bench, kind, player, "stopped")
        player.load(bench.files["MP3"])
        player.play()
        time.sleep(3)
        loads(bench, kind, player, "playing")


def loads(bench, kind, server, state):
    def rate(count, depth, connections):
        return bench.load.run(server, count * bench.rounds, depth, connections)

    alone = rate(5000, 1, 1)
    bench.note(Figure(f"status, {state}: one at a time, median, µs", 1), kind, alone["median"])
    bench.note(Figure(f"status, {state}: one at a time, 99th percentile, µs", 1), kind, alone["p99"])
    bench.note(Figure(f"status, {state}: pipelined, answers a second"), kind, rate(50000, 32, 1)["rate"])
    bench.note(Figure(f"status, {state}: 100 connections, answers a second"), kind, rate(50000, 1, 100)["rate"])


every = {"playing": playing, "threads": threads, "quiet": quiet, "start": start, "moments": moments, "cold": cold,
         "budget": budget, "answers": answers, "clients": clients, "library": library, "rescan": rescan,
         "scanning": scanning, "queues": queues, "million": million, "network": network, "ui": ui}
