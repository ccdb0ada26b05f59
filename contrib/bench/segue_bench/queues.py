"""Measures the longest delay of a status request while another client changes a queue of 100,000 or 1,000,000 entries."""

import json
import socket
import sqlite3
import threading
import time

from .figures import Figure
from .players import Segue

lengths, quick_lengths = (100_000, 1_000_000), (20_000,)
longest_playlist = 100_000
tracks_per_album = 12
most_ids = 60_000


def queues(bench, kind):
    """Replaces, shuffles and edits long queues of streams, which are not probed."""
    if kind is not Segue:
        return
    for length in quick_lengths if bench.rounds == 1 else lengths:
        def measured(watch, what, change):
            seconds = watch.longest_during(change)
            bench.note(Figure(f"{length:,} entries, others wait while {what}, ms", 1), kind, seconds * 1000)

        lists = playlists(bench.sandbox.folder("queues"), length)
        with kind(bench.sandbox) as player, Client(player.socket) as client, Watch(player.socket) as watch:
            def changed(what, method, **params):
                measured(watch, what, lambda: client.call(method, **params))

            changed("they are replaced", "queue.replace", uris=lists[:1])
            changed("they are replaced again", "queue.replace", uris=lists[:1])
            measured(watch, "playlists are added", lambda: add(client, lists[1:] or lists))
            changed("they are shuffled by album", "shuffle", mode="albums")
            changed("they are shuffled by track", "shuffle", mode="tracks")
            changed("they are no longer shuffled", "shuffle", mode="off")
            ids = [track["id"] for track in client.call("list", limit=1000)["tracks"]]
            changed("100 are moved to the middle", "queue.move", ids=ids[100:200], to=length // 2)
            changed("300 scattered ones are removed", "queue.remove", ids=ids[300:900:2])
            # A request may have 65,536 values. The first entries are no longer complete.
            many = list(range(ids[-1] + 1, ids[0] + length, max(2, length // most_ids)))[:most_ids]
            changed(f"{len(many):,} are removed", "queue.remove", ids=many)
            changed("that is undone", "queue.undo")
            changed(f"{len(many):,} are moved", "queue.move", ids=many, to=length // 2)
            changed("that is undone, too", "queue.undo")
            changed("1,000 are added in the middle", "queue.add", uris=streams(length, 1000), at=length // 2)
            changed("they are cleared", "queue.clear")
            changed("clearing them is undone", "queue.undo")
        with Filled(bench.sandbox, length) as player, Client(player.socket) as client, Watch(player.socket) as watch:
            # The queue contains them already, so none is added.
            measured(watch, "what filled the queue is added", lambda: add(client, lists))
            if client.call("status")["length"] != length:
                raise RuntimeError("what was in the queue was added")


def add(client, lists):
    """Adds each playlist in its own request: the playlists of a request may have 200,000 entries in total."""
    for uri in lists:
        client.call("queue.add", uris=[uri])


class Filled(Segue):
    """A daemon with a saved queue of `length` entries that the daemon itself created."""

    def __init__(self, sandbox, length):
        super().__init__(sandbox)
        self.length = length

    def prepare(self):
        rows = ((number + 1, number << 20, uri) for number, uri in enumerate(streams(0, self.length)))
        with sqlite3.connect(self.state / "segue.db") as state:
            state.execute("DELETE FROM queue")
            state.executemany("INSERT INTO queue (id, rank, uri, probed) VALUES (?, ?, ?, 0)", rows)
            values = {"beginning": "filling", "filling": f"1-{self.length}", "next_id": self.length + 1, "entry": None}
            state.executemany("INSERT OR REPLACE INTO state VALUES (?, ?)", values.items())
        state.close()


class Client:
    """A connection that waits for each response."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(str(path))
        self.lines = self.socket.makefile("rb")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.lines.close()
        self.socket.close()

    def call(self, method, **params):
        self.socket.sendall(json.dumps({"method": method, "params": params, "id": 1}).encode() + b"\n")
        answer = json.loads(self.lines.readline())
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]


class Watch:
    """A client on its own thread that requests the status repeatedly and records the longest delay."""

    def __init__(self, path):
        self.client = Client(path)
        self.guard = threading.Lock()
        self.longest = 0.0
        self.is_over = False
        self.thread = threading.Thread(target=self.ask)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.is_over = True
        self.thread.join()
        self.client.__exit__()

    def ask(self):
        while not self.is_over:
            begin = time.monotonic()
            self.client.call("status")
            with self.guard:
                self.longest = max(self.longest, time.monotonic() - begin)
            time.sleep(0.0002)

    def longest_during(self, change):
        with self.guard:
            self.longest = 0.0
        change()
        time.sleep(0.05)   # includes deferred work of the change
        with self.guard:
            return self.longest


def streams(first, count):
    return [f"http://radio.example/{number // tracks_per_album}/{number}.mp3" for number in range(first, first + count)]


def playlists(folder, length):
    """Returns the URIs of playlists with `length` streams in total."""
    made = []
    for first in range(0, length, longest_playlist):
        file = folder / f"{first}.m3u8"
        file.write_text("\n".join(streams(first, min(longest_playlist, length - first))) + "\n")
        made.append(file.as_uri())
    return made
