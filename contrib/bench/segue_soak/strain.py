"""What makes life hard: neighbours that never rest, a disk that answers late, memory that is scarce."""

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
    """So many loops that do nothing, as fast as they can."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for loop in loops:
            end(loop)


@contextlib.contextmanager
def slow_disk(folder, files, delay):
    """The files again, on a disk that answers every read after `delay` seconds. Root's alone."""
    with slowdisk.mounted(folder, files, delay) as shown:
        yield shown


@contextlib.contextmanager
def scarce_memory(pid, most):
    """The process and its children have to do with `most` bytes; what they read from files counts. Root's alone."""
    v2 = pathlib.Path("/sys/fs/cgroup/cgroup.controllers").exists()
    group = pathlib.Path("/sys/fs/cgroup" if v2 else "/sys/fs/cgroup/memory") / f"segue-soak-{pid}"
    group.mkdir()
    home = pathlib.Path(f"/proc/{pid}/cgroup").read_text()
    line = next(line for line in home.splitlines() if line.startswith("0::" if v2 else "") and
                (v2 or ":memory:" in line))
    home = group.parent / line.split(":", 2)[2].lstrip("/")
    try:
        (group / ("memory.high" if v2 else "memory.limit_in_bytes")).write_text(str(most))
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
