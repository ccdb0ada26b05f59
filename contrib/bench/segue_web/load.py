"""Measures what connected pages cost the gateway and the daemon, and whether anything is left after the last one."""

import subprocess
import time

from segue_bench import account
from segue_bench.figures import Figure

from .gateway import Gateway, Pages

few, many = 10, 100
# The gateway ends a minute after the last browser, and its timer may be some seconds late.
longest_end = 90


def load(bench, name, player):
    """Measures memory, CPU time and context switches without and with pages, while music plays and while it is paused."""
    player.load(bench.files["FLAC"])
    player.play()
    time.sleep(6)  # until the buffers are full
    with Gateway(player) as gateway:
        costs(bench, name, player, gateway, 0)
        with Pages(gateway, many):
            costs(bench, name, player, gateway, many)
        with Pages(gateway, few):
            player.pause()
            time.sleep(player.releases_late + 3)
            for program, pid in (("segue-web", gateway.pid), ("segued", player.pid)):
                switches = account.watch(pid, bench.idle)[1] * bench.idle
                bench.note(Figure(f"{few} pages, paused: context switches in {bench.idle} s, {program}", 1), name, switches)
        ending(bench, name, gateway)


def costs(bench, name, player, gateway, count):
    """Measures while music plays."""
    note = lambda what, value, places: bench.note(Figure(f"{count} pages, playing: {what}", places), name, value)
    time.sleep(2)
    note("private memory, segue-web, MB", private(gateway.pid), 1)
    note("private memory, its connector, MB", private(gateway.connector), 1)
    note("private memory, segued, MB", private(player.pid), 1)
    for program, pid in (("segue-web", gateway.pid), ("segued and its worker", player.pid)):
        note(f"CPU, {program}, s per minute", account.watch(pid, bench.seconds)[0] * 60, 3)


def private(pid):
    """Returns the memory in MB that a process shares with nobody, without that of its children."""
    own, *children = (
        account.memory(member, "Private_Clean") + account.memory(member, "Private_Dirty") for member in account.family(pid))
    return own - sum(children)


def ending(bench, name, gateway):
    """Measures the time until no process is left after the last page."""
    processes, begin = account.family(gateway.pid), time.monotonic()
    try:
        gateway.process.wait(longest_end)
    except subprocess.TimeoutExpired:
        raise RuntimeError("the gateway does not end after the last page") from None
    bench.note(Figure("last page to the end of the gateway, s", 1), name, time.monotonic() - begin)
    # The kernel ends the connector with it.
    time.sleep(1)
    bench.note(Figure("processes afterwards"), name, sum(map(is_running, processes)))


def is_running(pid):
    """Whether a process exists that is not only waited for by its parent."""
    try:
        return (account.proc / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
