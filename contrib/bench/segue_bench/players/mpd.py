from .player import Player


class MPD(Player):
    name = "MPD"
    programs = ("mpd", "mpc")
    has_library = can_search = True
    question, answer_end, greeting = "status\n", "OK\n", 1

    def command(self):
        return ["mpd", "--no-daemon", str(self.home / "conf")]

    def prepare(self):
        (self.home / "conf").write_text(f"""\
bind_to_address "{self.socket}"
log_file "/dev/null"
max_connections "200"
audio_output {{
  type "pulse"
  name "bench"
}}
""" + (f"""\
music_directory "{self.music}"
db_file "{self.home / 'database'}"
""" if self.music else ""))

    def ask(self, request):
        self._connection.sendall(request.encode())
        lines = []
        while (line := self._read_until(b"\n")) != "OK":
            if line.startswith("ACK "):
                raise RuntimeError(line)
            lines.append(line)
        return lines

    def asker(self):
        return ["mpc", "--host", self.socket, "status"]

    def follower(self):
        return ["mpc", "--host", self.socket, "idleloop", "player"]

    def load(self, file):
        self.ask("clear\n")
        self.ask(f'add "{file.as_uri()}"\n')

    def play(self):
        self.ask("play 0\n")

    def pause(self):
        self.ask("pause 1\n")

    def resume(self):
        self.ask("pause 0\n")

    def stop(self):
        self.ask("stop\n")

    def seek(self, seconds):
        self.ask(f"seekcur {seconds}\n")

    def forget(self):
        (self.home / "database").unlink(missing_ok=True)

    def scan(self):
        self.ask("update\n")

    def is_scanning(self):
        return any(line.startswith("updating_db") for line in self.ask("status\n"))

    def found(self):
        return next(int(line.split()[1]) for line in self.ask("stats\n") if line.startswith("songs"))

    def search(self, text):
        self.ask(f'search any "{text}" window 0:50\n')
