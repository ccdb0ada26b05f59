import json

from .player import Player


class MPV(Player):
    name = "mpv"
    programs = ("mpv",)
    # It has no status; one property is the nearest thing.
    question = '{"command":["get_property","volume"]}\n'

    def command(self):
        return ["mpv", "--no-config", "--no-video", "--no-terminal", "--idle=yes", "--ao=pulse",
                f"--input-ipc-server={self.socket}"]

    def call(self, *words):
        answer = json.loads(self.ask(json.dumps({"command": words}) + "\n"))
        while "event" in answer:
            answer = json.loads(self._read_until(b"\n"))
        if answer["error"] != "success":
            raise RuntimeError(f"{words}: {answer['error']}")

    def load(self, file):
        self.file = str(file)

    def play(self):
        self.call("set_property", "pause", False)
        self.call("loadfile", self.file)

    def pause(self):
        self.call("set_property", "pause", True)

    def resume(self):
        self.call("set_property", "pause", False)

    def stop(self):
        self.call("stop")

    def seek(self, seconds):
        self.call("seek", seconds, "absolute+exact")
