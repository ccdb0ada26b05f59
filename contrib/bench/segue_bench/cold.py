"""Measures the first play when the libraries of the worker are not in memory, as after the start of the machine."""

import os
import subprocess
import time

from . import monitor
from .figures import Figure
from .players import Segue


def forget(program):
    """Removes the program and its libraries from the page cache, except what other processes have mapped."""
    linked = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    words = [line.split() for line in linked.splitlines()]
    for file in [program, *(word for line in words for word in line if word.startswith("/"))]:
        descriptor = os.open(file, os.O_RDONLY)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(descriptor)


def cold(bench, kind):
    """Measures Segue only: the others load their libraries when they start."""
    if kind is not Segue:
        return
    with kind(bench.sandbox) as player, monitor.Monitor(bench.environment) as heard:
        player.load(bench.files["seek"])
        for _ in range(bench.rounds):
            player.cool()
            forget(player.folder / "segue-worker")
            begin = time.monotonic()
            player.play()
            sound = heard.first_sound(begin)
            if sound is None:
                raise RuntimeError("the monitor heard nothing")
            bench.note(Figure("play to sound, for the first time, libraries not in memory, ms", 1), kind,
                       (sound - begin) * 1000)
            time.sleep(1)
            player.stop()
