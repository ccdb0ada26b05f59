"""Counts the bytes between a browser and a server, of whatever protocol."""

import socket
import threading
import time


class Wire:
    """Passes connections on to a port of this machine."""

    def __init__(self, port):
        self.target = port
        self.received = 0    # the bytes from the server
        self.changed = 0.0   # the time of the last one
        self._lock = threading.Lock()

    def __enter__(self):
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def settle(self, seconds=2, limit=30):
        """Waits until nothing has arrived for some seconds."""
        begin = time.monotonic()
        while time.monotonic() < min(begin + limit, max(begin, self.changed) + seconds):
            time.sleep(0.1)

    def _accept(self):
        while True:
            try:
                browser, _ = self.listener.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self.target))
            for source, sink, counts in ((browser, server, False), (server, browser, True)):
                threading.Thread(target=self._pass, args=(source, sink, counts), daemon=True).start()

    def _pass(self, source, sink, counts):
        try:
            while part := source.recv(1 << 16):
                if counts:
                    with self._lock:
                        self.received += len(part)
                        self.changed = time.monotonic()
                sink.sendall(part)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass
