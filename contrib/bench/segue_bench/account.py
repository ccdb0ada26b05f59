"""Measures the resources of a process and its descendants with /proc, including those that start or end meanwhile."""

import os
import pathlib
import re
import time

tick = 1 / os.sysconf("SC_CLK_TCK")
proc = pathlib.Path("/proc")


def family(pid):
    """Returns the process and its descendants."""
    found = [pid]
    for parent in found:
        for children in proc.glob(f"{parent}/task/*/children"):
            try:
                found += map(int, children.read_text().split())
            except OSError:
                pass
    return found


def cpu_seconds(pids):
    """Returns the user and system time of the processes and of their reaped children. The time of a process that ends
    between two calls moves to its parent, so the sum never decreases."""
    total = 0.0
    for pid in pids:
        try:
            fields = (proc / str(pid) / "stat").read_text().rpartition(")")[2].split()
            # The CPU clock of the process is finer than the ticks of /proc (see clock_getcpuclockid(3)).
            total += time.clock_gettime((~pid << 3) | 2)
            total += (int(fields[13]) + int(fields[14])) * tick
        except (OSError, ProcessLookupError):
            pass
    return total


def switches(pids):
    """Returns the voluntary and involuntary context switches by process and thread."""
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
    """Returns the memory of that kind of the process and its descendants in MB (2^20 bytes)."""
    total = 0
    for member in family(pid):
        try:
            text = (proc / str(member) / "smaps_rollup").read_text()
            total += int(re.search(rf"^{kind}:\s*(\d+)", text, re.M)[1])
        except OSError:
            pass
    return total / 1024


def settle(pid):
    """Waits until the process and its descendants use less than 2 ms of CPU time in a second."""
    used, before = cpu_seconds(family(pid)), -1
    while used - before >= 0.002:
        time.sleep(1)
        used, before = cpu_seconds(family(pid)), used


def watch(pid, seconds):
    """Returns CPU seconds and context switches per second of the process and its descendants. It samples once a second,
    so at most the last second of a thread that ends is missed. Sampling wakes no process."""
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
