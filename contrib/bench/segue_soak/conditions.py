"""Difficult conditions: a busy CPU, a slow disk, little memory."""

import contextlib
import os
import pathlib
import subprocess
import sys

from segue_bench import account
from segue_bench.sandbox import end

from . import slowdisk


@contextlib.contextmanager
def busy(count):
    """Runs `count` busy loops."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            end(loop)


@contextlib.contextmanager
def slow_disk(folder, files, delay):
    """Shows the files on a disk that delays every read by `delay` seconds. Needs root."""
    with slowdisk.mounted(folder, files, delay) as shown:
        yield shown


@contextlib.contextmanager
def limited_memory(pid, maximum):
    """Limits the process and its children to `maximum` bytes, page cache included. Needs root."""
    v2 = pathlib.Path("/sys/fs/cgroup/cgroup.controllers").exists()
    group = pathlib.Path("/sys/fs/cgroup" if v2 else "/sys/fs/cgroup/memory") / f"segue-soak-{pid}"
    group.mkdir()
    home = pathlib.Path(f"/proc/{pid}/cgroup").read_text()
    line = next(line for line in home.splitlines() if line.startswith("0::" if v2 else "") and
                (v2 or ":memory:" in line))
    home = group.parent / line.split(":", 2)[2].lstrip("/")
    try:
        (group / ("memory.high" if v2 else "memory.limit_in_bytes")).write_text(str(maximum))
        for member in account.family(pid):
            (group / "cgroup.procs").write_text(str(member))
        yield
    finally:
        for member in (group / "cgroup.procs").read_text().split():
            with contextlib.suppress(OSError):
                (home / "cgroup.procs").write_text(member)
        group.rmdir()


def is_root():
    return os.geteuid() == 0
