"""A folder and an environment that isolate the programs from the user's settings."""

import os
import pathlib
import subprocess
import tempfile

kept = ("PATH", "LD_LIBRARY_PATH")


class Sandbox:
    def __init__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="segue-bench-")
        self.path = pathlib.Path(self._folder.name)
        self.pulse_socket = self.path / "pulse" / "socket"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._folder.cleanup()

    def folder(self, name):
        """Returns the folder of that name and makes it if necessary."""
        path = self.path / name
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        return path

    def environment(self, name):
        """Returns the environment of a process: its own home and runtime folders, and the private sound server."""
        home = self.folder(name)
        environment = {key: os.environ[key] for key in kept if key in os.environ}
        environment.update(
            HOME=str(home),
            XDG_RUNTIME_DIR=str(self.folder(f"{name}/run")),
            XDG_CONFIG_HOME=str(self.folder(f"{name}/config")),
            XDG_STATE_HOME=str(self.folder(f"{name}/state")),
            XDG_DATA_HOME=str(self.folder(f"{name}/data")),
            XDG_CACHE_HOME=str(self.folder(f"{name}/cache")),
            PULSE_SERVER=f"unix:{self.pulse_socket}",
            LANG="C.UTF-8",
            TERM="xterm",
        )
        return environment


def end(process):
    """Ends a process of ours, by force if it will not go."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
