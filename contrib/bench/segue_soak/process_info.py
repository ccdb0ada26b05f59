"""Descriptors, threads and zombies of a process."""

import pathlib

from segue_bench import account


def descriptors(pid):
    return len(list(pathlib.Path(f"/proc/{pid}/fd").iterdir()))


def threads(pid):
    return len(list(pathlib.Path(f"/proc/{pid}/task").iterdir()))


def zombies(pid):
    count = 0
    for member in account.family(pid)[1:]:
        try:
            count += pathlib.Path(f"/proc/{member}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
        except OSError:
            pass
    return count
