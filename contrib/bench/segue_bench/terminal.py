"""A program on a pseudo terminal of 80 × 24 cells, whose output is recorded with the times of its arrival."""

import fcntl
import os
import pty
import struct
import subprocess
import termios
import threading
import time

from .sandbox import end

rows, columns = 24, 80


class Terminal:
    """Starts a program on a terminal that answers no queries. A thread reads what the program writes."""

    def __init__(self, command, environment):
        self.arrival = threading.Condition()
        self.chunks = []     # the time (`time.monotonic`) and the bytes of each read
        self.received = 0    # bytes
        self.master, inside = pty.openpty()
        fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            command, env=environment, stdin=inside, stdout=inside, stderr=inside, start_new_session=True)
        os.close(inside)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        end(self.process)
        self.reader.join()
        os.close(self.master)

    def _read(self):
        try:
            while chunk := os.read(self.master, 1 << 16):
                now = time.monotonic()
                with self.arrival:
                    self.chunks.append((now, chunk))
                    self.received += len(chunk)
                    self.arrival.notify()
        except OSError:  # the other end is closed
            pass

    def shown(self, texts, timeout=60):
        """Waits until all texts have arrived and returns the time of the last one."""
        wanted, output, seen = [text.encode() for text in texts], b"", 0
        deadline = time.monotonic() + timeout
        while True:
            with self.arrival:
                self.arrival.wait_for(lambda: len(self.chunks) > seen, max(0, deadline - time.monotonic()))
                fresh = self.chunks[seen:]
            if not fresh:
                raise RuntimeError(f"{self.process.args[0]} does not show {texts}")
            for moment, chunk in fresh:
                output += chunk
                if all(text in output for text in wanted):
                    return moment
            seen += len(fresh)

    def press(self, key):
        """Presses a key and returns the time."""
        moment = time.monotonic()
        os.write(self.master, key.encode())
        return moment

    def last_output(self, after, silence, timeout=5):
        """Waits for output after the given time, and then until nothing has arrived for `silence` seconds. Returns the time of the
        last output, or None if none has arrived before the timeout."""
        with self.arrival:
            if not self.arrival.wait_for(lambda: self.chunks and self.chunks[-1][0] > after, timeout):
                return None
            seen = len(self.chunks)
            while self.arrival.wait_for(lambda: len(self.chunks) > seen, silence):
                seen = len(self.chunks)
            return self.chunks[-1][0]
