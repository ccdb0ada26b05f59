"""Describes the machine."""

import os
import pathlib
import platform
import re
import subprocess


def facts(players, music_source):
    """Returns lines of Markdown."""
    cpu = re.search(r"^model name\s*:\s*(.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    system = re.search(r'^PRETTY_NAME="(.*)"$', pathlib.Path("/etc/os-release").read_text(), re.M)
    memory = int(re.search(r"^MemTotal:\s*(\d+)", pathlib.Path("/proc/meminfo").read_text(), re.M)[1])
    pulse = subprocess.run(["pulseaudio", "--version"], capture_output=True, text=True).stdout.strip()
    cores = len(os.sched_getaffinity(0))
    return [
        f"{cores} × {cpu[1] if cpu else platform.machine()}, {memory / 2**20:.0f} GB, "
        f"{system[1] if system else platform.system()}, Linux {platform.release()}",
        f"{pulse} with a null sink at 44,100 Hz; the music is {music_source}",
        *(f"{name}: {version}" for name, version in players.items()),
    ]
