"""Connects a thousand hostile clients until its standard input ends: `python3 -m segue_soak.hostile_clients SOCKET`."""

import contextlib
import json
import select
import socket
import sys
import time

limit = 1 << 20
ask = b'{"id":1,"method":"status"}'
flood = b'{"id":1,"method":"rpc.discover"}\n' * 500
batch = b"[" + b"1," * (limit // 2 - 2) + b"1]\n"
visits_a_second = 170


class NonblockingClient:
    """A connection that never blocks."""

    def __init__(self, path, words=b""):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.socket.setblocking(False)
        self.unsent = memoryview(words)
        self.send()

    def queue(self, words):
        self.unsent = memoryview(words)

    def send(self):
        with contextlib.suppress(BlockingIOError, BrokenPipeError, ConnectionResetError):
            if self.unsent:
                self.unsent = self.unsent[self.socket.send(self.unsent):]

    def receive(self):
        """Returns the received bytes, or None at the end of the connection."""
        try:
            return self.socket.recv(1 << 20) or None
        except BlockingIOError:
            return b""
        except ConnectionResetError:
            return None


class RepeatingClient:
    """Sends the same line again after each response, and reconnects when the daemon closes the connection."""

    def __init__(self, path, line, pause=0):
        self.path, self.line, self.pause = path, line, pause
        self.connection, self.count, self.bytes, self.due = None, 0, 0, 0

    def act(self):
        if self.connection is None:
            if time.monotonic() < self.due:
                return
            self.connection = NonblockingClient(self.path, self.line)
        self.connection.send()
        received = self.connection.receive()
        self.bytes += len(received or b"")
        if received is None or b"\n" in received:
            self.count += 1
            self.connection.socket.close()
            self.connection = None
            self.due = time.monotonic() + self.pause


def main(path):
    never_reading = [NonblockingClient(path) for _ in range(100)]
    half_lines = [NonblockingClient(path, b'{"id":1,"method":"sta') for _ in range(50)]
    subscribers = [NonblockingClient(path, b'{"id":1,"method":"subscribe"}\n') for _ in range(20)]
    slow = [NonblockingClient(path) for _ in range(20)]
    repeating = {"lines of a megabyte": RepeatingClient(path, ask + b" " * (limit - len(ask)) + b"\n", 0.2),
               "lines of a megabyte and one": RepeatingClient(path, b"x" * (limit + 1), 0.2),
               "batches of half a million": RepeatingClient(path, batch, 0.2)}
    # Idle clients up to the limit of the daemon, except a few for visitors and well-behaved clients.
    idle = [NonblockingClient(path) for _ in range(1024 - 190 - 3 - 20)]
    print("connected", flush=True)
    began = time.monotonic()
    visits = flooded = turns = 0
    while not select.select([sys.stdin], [], [], 0.004)[0]:
        turns += 1
        for connection in never_reading:
            if not connection.unsent:
                connection.queue(flood)
            before = len(connection.unsent)
            connection.send()
            flooded += before - len(connection.unsent)
        if turns % 250 == 0:
            for connection in slow:
                connection.queue((ask + b"\n")[turns // 250 % 27:][:1])
                connection.send()
        for client in repeating.values():
            client.act()
        while visits < (time.monotonic() - began) * visits_a_second:
            # Every other visitor disconnects during the response; the rest send nothing.
            with contextlib.suppress(OSError):
                visitor = NonblockingClient(path, flood[:660] if visits % 2 else b"")
                visitor.socket.close()
            visits += 1
    seconds = time.monotonic() - began
    print(json.dumps({"idle": len(idle), "never read": len(never_reading), "subscribers that do not read":
                      len(subscribers), "half lines": len(half_lines), "a byte a second": len(slow),
                      "visits a minute": round(visits * 60 / seconds), "MB of floods": round(flooded / limit),
                      **{name: client.count for name, client in repeating.items()},
                      "seconds": round(seconds)}))


if __name__ == "__main__":
    main(sys.argv[1])
