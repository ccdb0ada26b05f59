"""The interface of every player."""

import shutil
import socket
import subprocess
import time

from ..sandbox import end


class Player:
    name = ""            # the heading of its column
    programs = ()        # programs that must be installed
    # The status request, the end of its response, and the number of greeting lines.
    question, answer_end, greeting = "", "\n", 0
    has_library = can_search = False  # whether it scans folders, and searches
    plays_files_by_http = True  # whether it plays files on a server, and seeks in them
    releases_late = 0    # seconds until it releases what it keeps for a quick resume
    is_interface = False # whether it is a terminal interface itself, instead of the server of one
    pause_key = "p"      # the key of its terminal interface that pauses and resumes

    def __init__(self, sandbox, music=None):
        """`music` is the folder of its library."""
        self.music = music
        self.home = sandbox.folder(self.name.lower())
        self.environment = sandbox.environment(self.name.lower())
        self.socket = self.home / "socket"
        self.keeps_state = False  # whether the next start finds what the last one left

    @classmethod
    def installed(cls):
        return all(map(shutil.which, cls.programs))

    def version(self):
        """Returns the first line of `--version`."""
        words = [self.programs[0], "--version"]
        return subprocess.run(words, capture_output=True, text=True).stdout.splitlines()[0].strip()

    def command(self):
        """Returns the command line that starts it in the foreground."""
        raise NotImplementedError

    def prepare(self):
        """Prepares its home folder before the start."""

    def spawn(self, command):
        self.process = subprocess.Popen(
            command, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)

    def __enter__(self):
        """Starts it, and sets `began` to the time and `start_seconds` to the duration until the first response."""
        self.socket.unlink(missing_ok=True)
        self.prepare()
        # Preparing the command line is not part of the start.
        command = self.command()
        self.began = time.monotonic()
        self.spawn(command)
        self._connection = self._reach()
        self._rest = b""
        for _ in range(self.greeting):
            self._read_until(b"\n")
        self.ask(self.question)
        self.start_seconds = time.monotonic() - self.began
        return self

    def __exit__(self, *_):
        self._connection.close()
        end(self.process)

    @property
    def pid(self):
        return self.process.pid

    def _reach(self):
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline and self.process.poll() is None:
            connection = socket.socket(socket.AF_UNIX)
            try:
                connection.connect(str(self.socket))
                connection.settimeout(20)
                return connection
            except OSError:
                connection.close()
                time.sleep(0.0002)
        raise RuntimeError(f"{self.name} does not listen at {self.socket}")

    def _read_until(self, ending):
        while ending not in self._rest:
            got = self._connection.recv(1 << 16)
            if not got:
                raise RuntimeError(f"{self.name} hung up")
            self._rest += got
        line, _, self._rest = self._rest.partition(ending)
        return line.decode(errors="replace")

    def ask(self, request):
        """Sends a request and returns the response without its end."""
        self._connection.sendall(request.encode())
        return self._read_until(self.answer_end.encode())

    def asker(self):
        """Returns the command line of its client that prints the status, or None."""

    def follower(self):
        """Returns the command line of a client that prints a line on pause and resume, or None."""

    def interface(self):
        """Returns the command line of its terminal interface, which begins with the queue, or None."""

    def fill(self, files):
        """Replaces the queue, and pauses its first file. If it is a terminal interface itself, `fill` prepares the next start of
        that."""
        raise NotImplementedError

    def load(self, file):
        """Loads the file that `play` starts."""
        raise NotImplementedError

    def pause_first(self):
        """Plays the first file of the queue for a moment."""
        self.play()
        time.sleep(1)
        self.pause()

    def play(self):
        raise NotImplementedError

    def pause(self):
        raise NotImplementedError

    def resume(self):
        raise NotImplementedError

    def stop(self):
        raise NotImplementedError

    def seek(self, seconds):
        raise NotImplementedError

    def forget(self):
        """Deletes its index before the start."""

    def scan(self):
        """Starts a scan."""
        raise NotImplementedError

    def scanned(self):
        """Waits for the end of the scan and returns its time."""
        while self.is_scanning():
            time.sleep(0.005)
        return time.monotonic()

    def is_scanning(self):
        raise NotImplementedError

    def found(self):
        """Returns the number of tracks in its index."""
        raise NotImplementedError

    def search(self, text):
        """Searches for at most fifty tracks."""
        raise NotImplementedError

    def underruns(self):
        """Returns the number of underruns, or None if it does not report them."""
        return None


def batches(files, length=1000):
    """Yields the files in parts that fit into one request."""
    for first in range(0, len(files), length):
        yield files[first:first + length]
