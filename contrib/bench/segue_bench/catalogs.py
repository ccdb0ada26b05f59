"""Measures requests to an online catalogue: from the cache, and to a server beside the same request without Segue."""

import json
import statistics
import time

from .figures import Figure
from .players import Segue
from .queues import Client
from .web import RawClient

runs = 100
# TMDb permits 40 requests a second.
interval = 0.03
token = "bench"


def catalogs(bench, kind, web):
    """Measures searches and descriptions. The other players have no catalogues."""
    if kind is not Segue:
        return

    def note(what, times):
        bench.note(Figure(f"catalogue: {what}, median, ms", 2), kind, statistics.median(times) * 1000)

    with CatalogSegue(bench.sandbox, web) as player, Client(player.socket) as client:
        player.call("catalog.setToken", provider="tmdb", token=token)
        films, film = searched("film", "warm"), {"method": "catalog.info", "params": {"uri": "tmdb:film:1"}}
        albums = searched("album", "warm")
        # The first round starts the processes that the others use again, and fills the cache.
        for request in (films, film, albums):
            timed(client, request)
        note("20 films from the cache", [timed(client, films) for _ in range(runs)])
        note("200 albums, of which 30 are wanted, from the cache", [timed(client, albums) for _ in range(runs)])
        note("one film from the cache", [timed(client, film) for _ in range(runs)])
        search, info, raw_search, raw_info = [], [], [], []
        with RawClient(web.port) as raw:
            for number in range(runs):
                search.append(timed(client, searched("film", f"query {number}")))
                raw_search.append(raw.timed(f"/tmdb/search/movie?query={number}"))
                time.sleep(interval)
                info.append(timed(client, {**film, "params": {"uri": f"tmdb:film:{number + 2}"}}))
                raw_info.append(raw.timed(f"/tmdb/movie/{number + 2}"))
                time.sleep(interval)
        note("20 films from a server", search)
        note("20 films, the same request without Segue", raw_search)
        note("one film from a server", info)
        note("one film, the same request without Segue", raw_info)


def searched(kind, query):
    return {"method": "catalog.search", "params": {"query": query, "kind": kind, "limit": 20 if kind == "film" else 30}}


def timed(client, request):
    """Returns the time from a request to its response."""
    line = json.dumps({**request, "id": 1}).encode() + b"\n"
    begin = time.monotonic()
    client.socket.sendall(line)
    response = client.lines.readline()
    seconds = time.monotonic() - begin
    if b'"error":' in response[:200]:
        raise RuntimeError(f"{request['method']}: {response.decode()}")
    return seconds


class CatalogSegue(Segue):
    """A daemon that uses a server of the benchmark as every provider."""

    def __init__(self, sandbox, web):
        super().__init__(sandbox)
        self.web = web

    def prepare(self):
        super().prepare()
        with open(self.configuration, "a") as file:
            file.write("[Catalog]\nCountry=us\nLanguage=en-US\n")
            file.write(f"ITunesURL={self.web.url('itunes')}\nTmdbURL={self.web.url('tmdb')}\n")
