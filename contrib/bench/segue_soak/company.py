"""Clients: a connection, and those who give random commands over theirs."""

import json
import random
import socket
import threading
import time

# What may rightly be refused when several change the same queue, and one seeks what another has stopped.
refusals = {"out_of_range", "not_seekable", "empty_queue", "no_such_track"}


class Connection:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(str(path))
        self.socket.settimeout(30)
        self.rest = b""
        self.events = 0
        self.id = 0

    def close(self):
        self.socket.close()

    def line(self):
        while b"\n" not in self.rest:
            try:
                got = self.socket.recv(1 << 18)
            except TimeoutError:
                # As an OSError it would pass for a condition that this machine cannot produce.
                raise RuntimeError("the daemon has not answered for thirty seconds") from None
            if not got:
                raise ConnectionError("the daemon closed a good client's connection")
            self.rest += got
        line, _, self.rest = self.rest.partition(b"\n")
        return json.loads(line)

    def call(self, method, **params):
        """The result; None where it was refused for a reason that is right."""
        self.id += 1
        self.socket.sendall(json.dumps({"id": self.id, "method": method, "params": params}).encode() + b"\n")
        while "method" in (answer := self.line()):
            self.events += 1
        if answer["id"] != self.id:
            raise RuntimeError(f"answered out of order: {answer}")
        if "error" in answer:
            kind = answer["error"]["data"]["kind"]
            if kind in refusals or (method, kind) == ("seek", "unavailable"):
                return None
            raise RuntimeError(f"{method} {params}: {answer['error']['message']}")
        return answer["result"]


class Somebody(threading.Thread):
    """Does as people and scripts do, only more often, until told to stop."""

    def __init__(self, path, files, seed):
        super().__init__(daemon=True)
        self.path, self.files = path, files
        self.chance = random.Random(seed)
        self.over = threading.Event()
        self.commands = 0
        self.failure = None

    def run(self):
        try:
            connection = Connection(self.path)
            connection.call("subscribe")
            while not self.over.wait(self.chance.expovariate(3)):
                self.act(connection)
                self.commands += 1
            connection.close()
        except Exception as failure:
            self.failure = f"{type(failure).__name__}: {failure}"

    def act(self, connection):
        chance, call = self.chance, connection.call
        deed = chance.randrange(16)
        if deed == 0:
            call("next")
        elif deed == 1:
            call("prev")
        elif deed == 2:
            call("play", index=chance.randrange(len(self.files)))
        elif deed == 3:
            call("seek", position=chance.uniform(0, 4))
        elif deed == 4:
            call("seek", offset=chance.uniform(-3, 3))
        elif deed == 5:
            call("seek", fraction=chance.random())
        elif deed == 6:
            call("pause")
            self.over.wait(chance.uniform(0, 0.3))
            call("play")
        elif deed == 7:
            call("stop")
            call("play")
        elif deed == 8:
            call("volume", level=chance.randrange(90, 101))
        elif deed == 9:
            call("shuffle", mode=chance.choice(("off", "tracks", "albums")))
        elif deed == 10:
            call("repeat", mode=chance.choice(("one", "all")))
        elif deed == 11:
            self.rearrange(call)
        elif deed == 12:
            # Many at once, and what they add is taken out again.
            added = [call("queue.add", uris=[chance.choice(self.files).as_uri()], at="next") for _ in range(5)]
            call("queue.remove", ids=[id_ for result in added for id_ in result["added"]])
        elif deed == 13:
            call("list", offset=chance.randrange(len(self.files)), limit=50)
        elif deed == 14:
            call("output.list")
        else:
            # A client that comes, asks, and goes before it is answered.
            guest = Connection(self.path)
            guest.socket.sendall(b'{"id":1,"method":"list"}\n' * chance.randrange(1, 20))
            guest.close()

    def rearrange(self, call):
        page = call("list", limit=1000)["tracks"]
        some = self.chance.sample([track["id"] for track in page], min(5, len(page)))
        call("queue.move", ids=some, to=self.chance.randrange(max(1, len(page) - 5)))


class Company:
    """Several of them, for as long as it is entered."""

    def __init__(self, path, files, size=4, seed=0):
        self.members = [Somebody(path, files, seed * 100 + number) for number in range(size)]

    def __enter__(self):
        for member in self.members:
            member.start()
        return self

    def __exit__(self, *_):
        for member in self.members:
            member.over.set()
        for member in self.members:
            member.join(60)

    @property
    def commands(self):
        return sum(member.commands for member in self.members)

    @property
    def failures(self):
        late = [f"a client waits for ever after {member.commands} commands" for member in self.members
                if member.over.is_set() and member.is_alive()]
        return [member.failure for member in self.members if member.failure] + late
