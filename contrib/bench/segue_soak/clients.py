"""A connection to the daemon, and clients that send random commands."""

import json
import random
import socket
import threading
import time

# Errors that are expected while several clients change the same queue.
expected_errors = {"out_of_range", "not_seekable", "empty_queue", "no_such_track"}


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
                # An OSError would be taken for a condition that this machine does not support.
                raise RuntimeError("the daemon has not answered for thirty seconds") from None
            if not got:
                raise ConnectionError("the daemon closed the connection of a well-behaved client")
            self.rest += got
        line, _, self.rest = self.rest.partition(b"\n")
        return json.loads(line)

    def call(self, method, **params):
        """Returns the result, or None for an expected error."""
        self.id += 1
        self.socket.sendall(json.dumps({"id": self.id, "method": method, "params": params}).encode() + b"\n")
        while "method" in (answer := self.line()):
            self.events += 1
        if answer["id"] != self.id:
            raise RuntimeError(f"answered out of order: {answer}")
        if "error" in answer:
            kind = answer["error"]["data"]["kind"]
            if kind in expected_errors or (method, kind) == ("seek", "unavailable"):
                return None
            raise RuntimeError(f"{method} {params}: {answer['error']['message']}")
        return answer["result"]


class RandomClient(threading.Thread):
    """Sends random commands until it is stopped."""

    def __init__(self, path, files, seed):
        super().__init__(daemon=True)
        self.path, self.files = path, files
        self.chance = random.Random(seed)
        self.stopped = threading.Event()
        self.commands = 0
        self.failure = None

    def run(self):
        try:
            connection = Connection(self.path)
            connection.call("subscribe")
            while not self.stopped.wait(self.chance.expovariate(3)):
                self.act(connection)
                self.commands += 1
            connection.close()
        except Exception as failure:
            self.failure = f"{type(failure).__name__}: {failure}"

    def act(self, connection):
        chance, call = self.chance, connection.call
        action = chance.randrange(16)
        if action == 0:
            call("next")
        elif action == 1:
            call("prev")
        elif action == 2:
            call("play", index=chance.randrange(len(self.files)))
        elif action == 3:
            call("seek", position=chance.uniform(0, 4))
        elif action == 4:
            call("seek", offset=chance.uniform(-3, 3))
        elif action == 5:
            call("seek", fraction=chance.random())
        elif action == 6:
            call("pause")
            self.stopped.wait(chance.uniform(0, 0.3))
            call("play")
        elif action == 7:
            call("stop")
            call("play")
        elif action == 8:
            call("volume", level=chance.randrange(90, 101))
        elif action == 9:
            call("shuffle", mode=chance.choice(("off", "tracks", "albums")))
        elif action == 10:
            call("repeat", mode=chance.choice(("one", "all")))
        elif action == 11:
            self.rearrange(call)
        elif action == 12:
            # Adds several tracks and removes them again.
            added = [call("queue.add", uris=[chance.choice(self.files).as_uri()], at="next") for _ in range(5)]
            call("queue.remove", ids=[id_ for result in added for id_ in result["added"]])
        elif action == 13:
            call("list", offset=chance.randrange(len(self.files)), limit=50)
        elif action == 14:
            call("output.list")
        else:
            # Connects, sends requests and disconnects before the responses.
            visitor = Connection(self.path)
            visitor.socket.sendall(b'{"id":1,"method":"list"}\n' * chance.randrange(1, 20))
            visitor.close()

    def rearrange(self, call):
        page = call("list", limit=1000)["tracks"]
        some = self.chance.sample([track["id"] for track in page], min(5, len(page)))
        call("queue.move", ids=some, to=self.chance.randrange(max(1, len(page) - 5)))


class RandomClients:
    """Several random clients that run while the context is active."""

    def __init__(self, path, files, size=4, seed=0):
        self.members = [RandomClient(path, files, seed * 100 + number) for number in range(size)]

    def __enter__(self):
        for member in self.members:
            member.start()
        return self

    def __exit__(self, *_):
        for member in self.members:
            member.stopped.set()
        for member in self.members:
            member.join(60)

    @property
    def commands(self):
        return sum(member.commands for member in self.members)

    @property
    def failures(self):
        late = [f"a client still waits after {member.commands} commands" for member in self.members
                if member.stopped.is_set() and member.is_alive()]
        return [member.failure for member in self.members if member.failure] + late
