"""A web server in a process of its own: files with ranges, a station, and the responses of catalogues."""

import http.server
import json
import multiprocessing
import os
import pathlib
import re
import signal
import socket
import time

# The station sends what a usual one sends: some seconds at once, then packets in real time.
station_rate = 128_000 // 8
station_burst = 64 * 1024
station_packet = 1400
metadata_interval = 16_000


def film(number):
    return {
        "id": number, "title": f"Film {number}", "original_title": f"Film {number}", "overview": "A sentence. " * 30,
        "release_date": "2020-01-02", "genre_ids": [28, 12], "poster_path": f"/poster{number}.jpg", "popularity": 12.5,
        "vote_average": 7.1, "vote_count": 1234, "original_language": "en", "adult": False, "video": False}


def album(number):
    return {
        "wrapperType": "collection", "collectionType": "Album", "artistId": 1, "collectionId": number + 1,
        "artistName": "An Artist", "collectionName": f"Album {number * 37 % 200}",
        "collectionViewUrl": f"https://music.example/us/album/{number}", "artworkUrl100": "https://art.example/100x100bb.jpg",
        "collectionPrice": 9.99, "trackCount": 12, "country": "USA", "currency": "USD", "copyright": "2020 A Label",
        "releaseDate": "2020-01-02T08:00:00Z", "primaryGenreName": "Rock"}


catalog_responses = {
    path: json.dumps(response).encode() for path, response in {
        "/tmdb/search/movie": {"page": 1, "results": [film(number + 1) for number in range(20)], "total_results": 20},
        "/itunes/search": {"resultCount": 200, "results": [album(number) for number in range(200)]},
    }.items()}


class Address(str):
    """A URL, which players load as they load a file."""

    def as_uri(self):
        return str(self)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    folder = None
    requests = None      # the number of requests for the station

    def log_message(self, *_):
        pass

    def setup(self):
        super().setup()
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def do_GET(self):
        try:
            path, _, query = self.path.partition("?")
            if path.startswith(("/tmdb/", "/itunes/")):
                return self.catalog(path)
            if path == "/station":
                with self.requests.get_lock():
                    self.requests.value += 1
                self.station(float(query or "inf"))
            else:
                self.file(self.folder / self.path.lstrip("/"))
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def file(self, path):
        size = path.stat().st_size
        wanted = re.match(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        first, last = (int(wanted[1]), int(wanted[2] or size - 1)) if wanted else (0, size - 1)
        self.send_response(206 if wanted else 200)
        if wanted:
            self.send_header("Content-Range", f"bytes {first}-{last}/{size}")
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Type", "audio/flac" if path.suffix == ".flac" else "audio/mpeg")
        self.send_header("Content-Length", str(last - first + 1))
        self.end_headers()
        with open(path, "rb") as content:
            content.seek(first)
            self.connection.sendfile(content, first, last - first + 1)

    def catalog(self, path):
        """Sends a response of a catalogue. Head and body are one packet."""
        body = catalog_responses.get(path) or json.dumps({**film(1), "id": int(path.rpartition("/")[2])}).encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        self.wfile.write(head.encode() + body)

    def station(self, seconds):
        """Sends the station for as many seconds, and disconnects. A station goes on while nobody is connected: the beginning
        of a connection repeats what was sent last."""
        music = (self.folder / "station.mp3").read_bytes()
        has_metadata = self.headers.get("Icy-MetaData") == "1"
        self.send_response(200)
        self.send_header("Content-Type", "audio/mpeg")
        self.send_header("icy-name", "Bench")
        if has_metadata:
            self.send_header("icy-metaint", str(metadata_interval))
        self.send_header("Connection", "close")
        self.end_headers()
        sent, begin = 0, time.monotonic()
        position = int(begin * station_rate) // 417 * 417
        until_metadata = metadata_interval
        while time.monotonic() < begin + seconds:
            packet = bytearray()
            size = station_burst if sent == 0 else station_packet
            for _ in range(size):
                packet.append(music[position % len(music)])
                position += 1
                until_metadata -= 1
                if until_metadata == 0 and has_metadata:
                    packet.append(0)
                    until_metadata = metadata_interval
            self.connection.sendall(packet)
            sent += size
            time.sleep(max(0, begin + (sent - station_burst) / station_rate - time.monotonic()))
        self.close_connection = True


def serve(folder, ready, requests):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Handler.folder = pathlib.Path(folder)
    Handler.requests = requests
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    ready.send(server.server_address[1])
    server.serve_forever()


class WebServer:
    """Serves a folder at `url(name)` while the context is active."""

    def __init__(self, folder):
        self.folder = folder

    def __enter__(self):
        ready, other = multiprocessing.Pipe(duplex=False)
        self._requests = multiprocessing.Value("Q", 0)
        self.process = multiprocessing.Process(target=serve, args=(self.folder, other, self._requests), daemon=True)
        self.process.start()
        self.port = ready.recv()
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.join()

    @property
    def station_requests(self):
        return self._requests.value

    def pause(self):
        """Answers nothing until `resume` is called."""
        os.kill(self.process.pid, signal.SIGSTOP)

    def resume(self):
        os.kill(self.process.pid, signal.SIGCONT)

    def url(self, name):
        return Address(f"http://127.0.0.1:{self.port}/{name}")


class RawClient:
    """A connection to the server that sends requests and reads responses, and does nothing else."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.response = self.socket.makefile("rb")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.response.close()
        self.socket.close()

    def timed(self, target):
        """Returns the time from a request to the end of its response."""
        begin = time.monotonic()
        self.socket.sendall(f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        size = 0
        while (line := self.response.readline()) != b"\r\n":
            name, _, value = line.partition(b":")
            if name == b"Content-Length":
                size = int(value)
        self.response.read(size)
        return time.monotonic() - begin
