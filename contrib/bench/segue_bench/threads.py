"""Shows which threads of Segue switch contexts during playback, and whether by themselves."""

import collections
import re
import time

from . import account
from .figures import Figure
from .players import Segue


def counts(pids):
    """Returns the context switches by process name, thread name and kind."""
    found = collections.Counter()
    for pid in pids:
        try:
            program = (account.proc / str(pid) / "comm").read_text().strip()
        except OSError:
            continue
        for status in account.proc.glob(f"{pid}/task/*/status"):
            try:
                text = status.read_text()
            except OSError:
                continue
            thread = re.search(r"^Name:\s*(.*)$", text, re.M)[1]
            for kind in ("voluntary", "nonvoluntary"):
                number = int(re.search(rf"^{kind}_ctxt_switches:\s*(\d+)", text, re.M)[1])
                found[program, thread, kind] += number
    return found


def threads(bench, kind):
    if kind is not Segue:
        return
    with kind(bench.sandbox) as player:
        player.load(bench.files["FLAC"])
        player.play()
        time.sleep(12)  # until the buffers are full, and no idle worker is left
        first, begin = counts(account.family(player.pid)), time.monotonic()
        time.sleep(2 * bench.seconds)
        last, passed = counts(account.family(player.pid)), time.monotonic() - begin
        for program, thread, how in sorted(last):
            rate = (last[program, thread, how] - first[program, thread, how]) / passed
            if rate > 0:
                name = thread if thread == program else f"{program}, {thread}"
                bench.note(Figure(f"FLAC: context switches a second, {name}, {how}", 2), kind, rate)
