"""A thousand clients that hurt, as a process of their own: `python3 -m segue_soak.crowd SOCKET`, until its input ends."""

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


class Caller:
    """A connection that waits for nothing."""

    def __init__(self, path, words=b""):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.socket.setblocking(False)
        self.unsent = memoryview(words)
        self.send()

    def say(self, words):
        self.unsent = memoryview(words)

    def send(self):
        with contextlib.suppress(BlockingIOError, BrokenPipeError, ConnectionResetError):
            if self.unsent:
                self.unsent = self.unsent[self.socket.send(self.unsent):]

    def hear(self):
        """What came; None at the end."""
        try:
            return self.socket.recv(1 << 20) or None
        except BlockingIOError:
            return b""
        except ConnectionResetError:
            return None


class Talker:
    """Says the same line again as soon as it was answered, and comes back when it is sent away."""

    def __init__(self, path, line, pause=0):
        self.path, self.line, self.pause = path, line, pause
        self.caller, self.count, self.bytes, self.due = None, 0, 0, 0

    def act(self):
        if self.caller is None:
            if time.monotonic() < self.due:
                return
            self.caller = Caller(self.path, self.line)
        self.caller.send()
        heard = self.caller.hear()
        self.bytes += len(heard or b"")
        if heard is None or b"\n" in heard:
            self.count += 1
            self.caller.socket.close()
            self.caller = None
            self.due = time.monotonic() + self.pause


def main(path):
    never_reading = [Caller(path) for _ in range(100)]
    half_lines = [Caller(path, b'{"id":1,"method":"sta') for _ in range(50)]
    subscribers = [Caller(path, b'{"id":1,"method":"subscribe"}\n') for _ in range(20)]
    slow = [Caller(path) for _ in range(20)]
    talkers = {"lines of a megabyte": Talker(path, ask + b" " * (limit - len(ask)) + b"\n", 0.2),
               "lines of a megabyte and one": Talker(path, b"x" * (limit + 1), 0.2),
               "batches of half a million": Talker(path, batch, 0.2)}
    # As many more as there is room for, less a few for visitors and for those who are polite.
    idle = [Caller(path) for _ in range(1024 - 190 - 3 - 20)]
    print("here", flush=True)
    began = time.monotonic()
    visits = flooded = turns = 0
    while not select.select([sys.stdin], [], [], 0.004)[0]:
        turns += 1
        for caller in never_reading:
            if not caller.unsent:
                caller.say(flood)
            before = len(caller.unsent)
            caller.send()
            flooded += before - len(caller.unsent)
        if turns % 250 == 0:
            for caller in slow:
                caller.say((ask + b"\n")[turns // 250 % 27:][:1])
                caller.send()
        for talker in talkers.values():
            talker.act()
        while visits < (time.monotonic() - began) * visits_a_second:
            # One says nothing, one leaves in the middle of its answer.
            with contextlib.suppress(OSError):
                visitor = Caller(path, flood[:660] if visits % 2 else b"")
                visitor.socket.close()
            visits += 1
    seconds = time.monotonic() - began
    print(json.dumps({"idle": len(idle), "never read": len(never_reading), "subscribers that do not read":
                      len(subscribers), "half lines": len(half_lines), "a byte a second": len(slow),
                      "visits a minute": round(visits * 60 / seconds), "MB of floods": round(flooded / limit),
                      **{name: talker.count for name, talker in talkers.items()},
                      "seconds": round(seconds)}))


if __name__ == "__main__":
    main(sys.argv[1])
