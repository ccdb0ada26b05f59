"""What a process and its descendants used, from /proc, missing none that comes or goes."""

import os
import pathlib
import re
import time

tick = 1 / os.sysconf("SC_CLK_TCK")
proc = pathlib.Path("/proc")


def family(pid):
    """The process and all below it."""
    found = [pid]
    for parent in found:
        for children in proc.glob(f"{parent}/task/*/children"):
            try:
                found += map(int, children.read_text().split())
            except OSError:
                pass
    return found


def cpu_seconds(pids):
    """User and system time of the processes and of the children they have buried. One that ends between two calls
    moves from the first part to the second, so that the sum never loses it."""
    total = 0.0
    for pid in pids:
        try:
            fields = (proc / str(pid) / "stat").read_text().rpartition(")")[2].split()
            # The clock of a whole process: finer than the ticks of /proc (see clock_getcpuclockid(3)).
            total += time.clock_gettime((~pid << 3) | 2)
            total += (int(fields[13]) + int(fields[14])) * tick
        except (OSError, ProcessLookupError):
            pass
    return total


def switches(pids):
    """Context switches, voluntary or not, of every thread: by process and thread."""
    counts = {}
    for pid in pids:
        for status in proc.glob(f"{pid}/task/*/status"):
            try:
                text = status.read_text()
            except OSError:
                continue
            counts[pid, status.parent.name] = sum(map(int, re.findall(r"ctxt_switches:\s*(\d+)", text)))
    return counts


def memory(pid, kind="Private_Dirty"):
    """MB (of 2^20 bytes) of that kind in the whole family."""
    total = 0
    for member in family(pid):
        try:
            text = (proc / str(member) / "smaps_rollup").read_text()
            total += int(re.search(rf"^{kind}:\s*(\d+)", text, re.M)[1])
        except OSError:
            pass
    return total / 1024


def watch(pid, seconds):
    """Watches the family for that long: its CPU-seconds and context switches a second. Looked at every second, so
    that of a thread that ends no more than its last second is missed. The looking wakes nobody."""
    begin = time.monotonic()
    members = family(pid)
    cpu = cpu_seconds(members)
    first = switches(members)
    last = dict(first)
    while (left := begin + seconds - time.monotonic()) > 0:
        time.sleep(min(1, left))
        members = family(pid)
        last.update(switches(members))
    passed = time.monotonic() - begin
    switched = sum(count - first.get(thread, 0) for thread, count in last.items())
    return (cpu_seconds(members) - cpu) / passed, switched / passed
