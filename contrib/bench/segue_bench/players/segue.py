import json
import pathlib
import subprocess
import time

from .. import account
from .player import Player, batches


class Segue(Player):
    name = "Segue"
    build = pathlib.Path(__file__).resolve().parents[4] / ".build/release"
    programs = (str(build / "segued"),)
    has_library = can_search = True
    question = '{"method":"status","id":0}\n'
    releases_late = 20

    @classmethod
    def choose(cls, name, build):
        """Makes the programs in the folder `build` those that are measured from now on, under `name`."""
        cls.name, cls.build, cls.programs = name, build, (str(build / "segued"),)

    def __init__(self, sandbox, music=None):
        super().__init__(sandbox, music)
        self.folder = self.install(sandbox)

    def install(self, sandbox):
        """Copies the programs, as an installation does, and returns their folder. The page cache has what the linker wrote in
        small pieces, which cost a process more page faults than a copy, or a file that was read from a disk."""
        folder = sandbox.path / f"programs-{self.name}"
        if not folder.exists():
            folder.mkdir()
            names = ["segue", "segued", "segue-worker", "segue-fetch", "segue-ui", "segue-web", "stubs"]
            files = [self.build / name for name in names if (self.build / name).exists()]
            subprocess.run(["cp", "--archive", *files, folder], check=True)
            # Pages that are not written yet cannot be dropped from the page cache.
            subprocess.run(["sync", "--file-system", folder], check=True)
        return folder

    def version(self):
        return self.call("rpc.version")["version"]

    def command(self):
        # An empty queue would be filled from the music folder, whose files would then be probed for the queue as well.
        first = [str(next(file for file in sorted(self.music.rglob("*.*")) if file.is_file()))] if self.music else []
        return [str(self.folder / "segued"), "--socket", str(self.socket), *first]

    def prepare(self):
        """Empties the queue and sets the music folder."""
        if self.keeps_state:
            return
        for file in self.state.glob("[!l]*"):
            if file.is_file():
                file.unlink()
        self.configuration.parent.mkdir(exist_ok=True)
        self.configuration.write_text(f"[Library]\nMusicFolder={self.music}\n" if self.music else "")

    @property
    def configuration(self):
        return pathlib.Path(self.environment["XDG_CONFIG_HOME"]) / "segue/segue.conf"

    @property
    def state(self):
        return pathlib.Path(self.environment["XDG_STATE_HOME"]) / "segue"

    def call(self, method, **params):
        answer = json.loads(self.ask(json.dumps({"method": method, "params": params, "id": 1}) + "\n"))
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def asker(self):
        return [self.folder / "segue", "--socket", self.socket, "status"]

    def follower(self):
        return [*self.asker(), "--follow", "--format", "{{status}} {{heading}}"]

    def interface(self):
        return [str(self.folder / "segue-ui"), "--socket", str(self.socket)]

    def fill(self, files):
        self.call("queue.clear")
        for batch in batches(files):
            self.call("queue.add", uris=[file.as_uri() for file in batch])
        self.pause_first()

    def load(self, file):
        self.call("queue.clear")
        if not self.call("queue.add", uris=[file.as_uri()])["added"]:
            raise RuntimeError(f"segued does not take {file}")

    def play(self):
        self.call("play")

    resume = play

    def pause(self):
        self.call("pause")

    def stop(self):
        self.call("stop")

    def seek(self, seconds):
        self.call("seek", position=seconds)

    def cool(self):
        """Waits until no worker is running."""
        deadline = time.monotonic() + 60
        while len(account.family(self.pid)) > 1:
            if time.monotonic() > deadline:
                raise RuntimeError("the worker does not exit")
            time.sleep(0.1)

    def forget(self):
        for file in self.state.glob("library.db*"):
            file.unlink()

    def scan(self):
        self.call("library.scan")

    def is_scanning(self):
        return self.call("library.status")["scanning"]

    def scanned(self):
        """The search index is updated after the scan, which is part of the measurement."""
        super().scanned()
        while (status := self.call("library.status"))["searchable"] < status["tracks"]:
            time.sleep(0.005)
        return time.monotonic()

    def found(self):
        return self.call("library.status")["tracks"]

    def underruns(self):
        return self.call("status")["output"]["underruns"]

    def search(self, text):
        self.call("library.search", query=text, type="track", limit=50)
