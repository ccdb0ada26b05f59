import shutil
import subprocess

from .player import Player, batches


class MPD(Player):
    name = "MPD"
    programs = ("mpd", "mpc")
    has_library = can_search = True
    question, answer_end, greeting = "status\n", "OK\n", 1

    def version(self):
        if not shutil.which("ncmpcpp"):
            return super().version()
        interface = subprocess.run(["ncmpcpp", "--version"], capture_output=True, text=True).stdout
        return f"{super().version()}, with {interface.splitlines()[0]}"

    def command(self):
        return ["mpd", "--no-daemon", str(self.home / "conf")]

    def prepare(self):
        (self.home / "conf").write_text(f"""\
bind_to_address "{self.socket}"
log_file "/dev/null"
max_connections "200"
max_playlist_length "100000"
max_output_buffer_size "65536"
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

    def interface(self):
        return ["ncmpcpp", "--host", str(self.socket)]

    def fill(self, files):
        self.ask("clear\n")
        for batch in batches(files):
            # It does not decode the percent signs of a URI.
            adds = "".join(f'add "file://{file}"\n' for file in batch)
            self.ask(f"command_list_begin\n{adds}command_list_end\n")
        self.pause_first()

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
