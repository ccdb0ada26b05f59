import time

from .. import account
from ..terminal import Terminal
from .player import Player


class CMUS(Player):
    name = "cmus"
    programs = ("cmus", "cmus-remote")
    has_library = True
    plays_files_by_http = False
    is_interface = True
    pause_key = "c"
    question, answer_end = "status\n", "\n\n"

    def command(self):
        return ["cmus", "--listen", str(self.socket)]

    def prepare(self):
        for name in ("queue.pl", "resume"):
            (self.home / name).unlink(missing_ok=True)
        (self.home / "rc").write_text("set output_plugin=pulse\nset mpris=false\nset resume=false\n")
        self.environment["CMUS_HOME"] = str(self.home)

    def spawn(self, command):
        self.terminal = Terminal(command, self.environment)
        self.process = self.terminal.process

    def __exit__(self, *_):
        self._connection.close()
        self.terminal.__exit__()

    def ask(self, request):
        # The response to a command is an empty line; the response to a query ends with one.
        self._connection.sendall(request.encode())
        return self._read_until(b"\n\n" if request == self.question else b"\n")

    def asker(self):
        return ["cmus-remote", "--server", self.socket, "--query"]

    def interface(self):
        return self.command()

    def fill(self, files):
        # It writes these files when it ends, so they are written before each start.
        self.prepare()
        (self.home / "rc").write_text("set output_plugin=pulse\nset mpris=false\nset resume=true\n")
        (self.home / "resume").write_text(f"status paused\nfile {files[0]}\nposition 0\nview queue\n")
        (self.home / "queue.pl").write_text("".join(f"{file}\n" for file in files))

    def load(self, file):
        self.file = file

    def play(self):
        self.ask(f"player-play {self.file}\n")

    def pause(self):
        self.ask("player-pause\n")

    resume = pause

    def stop(self):
        self.ask("player-stop\n")

    def seek(self, seconds):
        self.ask(f"seek {seconds}\n")

    def scanned(self):
        """cmus does not report its scan: it is over after 1.5 seconds without CPU time."""
        self.ask(f"add -l {self.music}\n")
        used, last = 0, time.monotonic()
        while time.monotonic() - last < 1.5:
            time.sleep(0.02)
            now = account.cpu_seconds([self.pid])
            if now - used > 0.0005:
                last = time.monotonic()
            used = now
        return last
