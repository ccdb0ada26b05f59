"""Measures the players' own clients: one that prints the status once, and one that prints every change."""

import os
import select
import subprocess
import time

from . import account
from .figures import Figure
from .sandbox import end

runs = 200
timeout = 10


def clients(bench, kind):
    """Runs the client of each player during playback: `segue`, `mpc`, `cmus-remote`."""
    with kind(bench.sandbox) as player:
        if not player.asker():
            return
        player.load(bench.files["MP3"])
        player.play()
        time.sleep(2)
        times = sorted(asked(player) * 1000 for _ in range(runs))
        bench.note(Figure("its own client's status, a process, median, ms", 2), kind, times[runs // 2])
        bench.note(Figure("its own client's status, 99th percentile, ms", 2), kind, times[runs * 99 // 100])
        if player.follower():
            follows(bench, kind, player)


def asked(player):
    """Returns the duration of one client process."""
    words = [str(word) for word in player.asker()]
    nowhere = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    begin = time.monotonic()
    pid = os.posix_spawnp(words[0], words, player.environment, file_actions=nowhere)
    status = os.waitpid(pid, 0)[1]
    if status:
        raise RuntimeError(f"{' '.join(words)}: status {status}")
    return time.monotonic() - begin


def follows(bench, kind, player):
    """Measures a following client: its memory compared with `cat`, its CPU time while nothing changes, and the delay between
    a command and its line."""
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as bare:
        time.sleep(0.5)
        nothing = account.memory(bare.pid)
    client = subprocess.Popen(
        player.follower(), env=player.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    try:
        lines = client.stdout.fileno()
        time.sleep(1)
        bench.note(
            Figure("a client that follows: private dirty memory beyond cat's, MB", 2), kind,
            account.memory(client.pid) - nothing)
        cpu, switches = account.watch(client.pid, bench.idle)
        bench.note(Figure("a client that follows: CPU while nothing changes, ms a minute", 2), kind, cpu * 60_000)
        bench.note(Figure("a client that follows: context switches a second", 2), kind, switches)
        while select.select([lines], [], [], 0)[0]:
            os.read(lines, 1 << 16)
        times = sorted(told(lines, player, word) * 1000 for _ in range(runs // 4) for word in ("pause", "resume"))
        bench.note(Figure("a client that follows: command to its line, median, ms", 2), kind, times[len(times) // 2])
        bench.note(
            Figure("a client that follows: command to its line, 99th percentile, ms", 2), kind,
            times[len(times) * 99 // 100])
    finally:
        end(client)
        client.stdout.close()


def told(lines, player, word):
    """Returns the time from a command to the line and the response, whichever is later."""
    time.sleep(0.05)
    begin = time.monotonic()
    getattr(player, word)()
    if not select.select([lines], [], [], timeout)[0]:
        raise RuntimeError(f"{player.name}: its client prints nothing after {word}")
    os.read(lines, 1 << 16)
    return time.monotonic() - begin
