"""What every player must do for us."""

import shutil
import socket
import subprocess
import time

from ..sandbox import end


class Player:
    name = ""            # as the table's column is called
    programs = ()        # what must be installed
    # How its status is asked for: the request, what ends the answer, the lines of greeting.
    question, answer_end, greeting = "", "\n", 0
    has_library = can_search = False  # whether it scans folders, and finds in them
    releases_late = 0    # seconds until it has closed and freed what it only keeps for a quick return

    def __init__(self, sandbox, music=None):
        """`music`: the folder of its library."""
        self.music = music
        self.home = sandbox.folder(self.name.lower())
        self.environment = sandbox.environment(self.name.lower())
        self.socket = self.home / "socket"

    @classmethod
    def installed(cls):
        return all(map(shutil.which, cls.programs))

    def version(self):
        """The first line of what it says."""
        words = [self.programs[0], "--version"]
        return subprocess.run(words, capture_output=True, text=True).stdout.splitlines()[0].strip()

    def command(self):
        """The words that start it in the foreground."""
        raise NotImplementedError

    def prepare(self):
        """What must be in its home before it starts."""

    def spawn(self, command):
        self.process = subprocess.Popen(
            command, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)

    def __enter__(self):
        """Starts it, and knows in `began` when, and in `start_seconds` how long it took to the first answer."""
        self.socket.unlink(missing_ok=True)
        self.prepare()
        # Finding out what to say to it is no part of its start.
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
        """Sends it, and gives the answer without its end."""
        self._connection.sendall(request.encode())
        return self._read_until(self.answer_end.encode())

    def asker(self):
        """The words that start its own client, which prints its status; None if it has none."""

    def follower(self):
        """Those for one that stays, and prints a line whenever it pauses or resumes."""

    def load(self, file):
        """Makes that file the one `play` starts."""
        raise NotImplementedError

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
        """Before its start: its library knows nothing."""

    def scan(self):
        """Begins to look for what changed in its library."""
        raise NotImplementedError

    def scanned(self):
        """Waits until its scan is over; answers when that was."""
        while self.is_scanning():
            time.sleep(0.005)
        return time.monotonic()

    def is_scanning(self):
        raise NotImplementedError

    def found(self):
        """How many tracks it knows."""
        raise NotImplementedError

    def search(self, text):
        """For up to fifty tracks."""
        raise NotImplementedError

    def underruns(self):
        """How often its sound broke off, if it tells."""
        return None
