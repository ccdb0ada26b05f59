#!/usr/bin/python3
"""Responds as iTunes, TMDb and Radio Browser do, about things that do not exist: the albums of music.py, films, people and stations.

Usage: catalog.py FILE

Writes the section [Catalog] of segue.conf to FILE once it listens, on a free port of the loopback interface, and serves until it
is ended.
"""
import functools
import http.server
import io
import json
import os
import random
import sys
import urllib.parse

from PIL import Image

import music

FILMS = [
  ("The Long Signal", "A radio operator on a remote island answers a call for help that was sent forty years ago.", 2023, 7.8),
  ("Paper Tigers of Lisbon", "Three forgers, one museum, and a painting that nobody has ever seen.", 2021, 7.1),
  ("Meltwater", "When the glacier above her village starts to sing, a surveyor has a week to find out why.", 2024, 6.9),
  ("Iron Harvest Moon", "An old train robber is asked to guard a train.", 2019, 7.4),
  ("Nine Floors Down", "The lift stops. The building has eight floors.", 2022, 6.3),
  ("The Cartographer's War", "The map was wrong, and two armies follow it.", 2018, 8.1),
  ("Static Bloom", "A florist intercepts messages that are hidden in bouquets.", 2020, 6.7),
  ("Harbour Lights Out", "A blackout, a harbour, and one honest smuggler.", 2017, 7.0),
  ("Quarter Past Nowhere", "A town where all clocks have stopped gets its first watchmaker.", 2025, 7.6),
  ("Salt", "Two brothers, one boat, eleven days.", 2016, 7.9),
]
PEOPLE = ["Marguerite Sol", "Jonas Ekdahl", "Priya Raman", "Tobias Kern", "Lucía Ferrer", "Amadou Keita", "Hana Ishikawa", "Ronan Doyle",
          "Vera Antonova", "Elias Brandt"]
STATIONS = [
  ("Harbour Jazz 24", "jazz,smooth jazz", "DE", "german", "MP3", 192), ("Radio Nordlys", "classical,ambient", "NO", "norwegian", "AAC", 128),
  ("Night Train FM", "electronic,techno", "NL", "english", "MP3", 320), ("Радио Маяк на Холме", "talk,news", "RU", "russian", "AAC+", 64),
  ("Mill Race Folk", "folk,acoustic", "GB", "english", "OGG", 160), ("Tropicália Agora", "bossa nova,mpb", "BR", "portuguese", "MP3", 128),
  ("Studio Eleven", "indie,alternative", "US", "english", "AAC", 256), ("Quiet Hours", "sleep,ambient", "CA", "english", "MP3", 96),
  ("Swing Street", "swing,big band", "US", "english", "MP3", 128), ("Onda Azul", "flamenco,world", "ES", "spanish", "AAC", 96),
  ("Kyoto Piano", "piano,classical", "JP", "japanese", "MP3", 192), ("Basement Tapes Radio", "punk,garage", "AU", "english", "MP3", 128),
]


class Catalog:
  """The bodies of the responses."""

  def __init__(self, url):
    self.url = url

  def art(self, number):
    return f"{self.url}/art/{number}/100x100bb.png"

  def album(self, number):
    album = music.ALBUMS[number]
    return {
      "wrapperType": "collection", "collectionType": "Album", "artistId": 9100 + number, "collectionId": 9000 + number,
      "artistName": album.artist, "collectionName": album.title, "collectionViewUrl": f"{self.url}/album/{number}",
      "artworkUrl100": self.art(number), "collectionPrice": 9.99, "currency": "USD", "trackCount": len(album.titles),
      "copyright": f"℗ {album.year} {album.artist}", "releaseDate": f"{album.year}-05-12T07:00:00Z", "primaryGenreName": album.genre}

  def song(self, number, index):
    album = music.ALBUMS[number]
    return {
      "wrapperType": "track", "kind": "song", "artistId": 9100 + number, "collectionId": 9000 + number,
      "trackId": 920000 + number * 100 + index, "artistName": album.artist, "collectionName": album.title, "trackName": album.titles[index],
      "trackViewUrl": f"{self.url}/album/{number}?i={index}", "previewUrl": f"{self.url}/media/{number}-{index}.m4a",
      "artworkUrl100": self.art(number), "trackPrice": 1.29, "currency": "USD", "releaseDate": f"{album.year}-05-12T07:00:00Z",
      "trackNumber": index + 1, "trackTimeMillis": 150_000 + 17_000 * (index * 7 % 11), "primaryGenreName": album.genre}

  def songs(self):
    return [self.song(number, index) for index in range(4) for number in range(len(music.ALBUMS)) if index < len(music.ALBUMS[number].titles)]

  def other(self, kind, number):
    """Returns a podcast, a book or a film."""
    title = [f"{music.ALBUMS[number].title}: a History", f"The Making of {music.ALBUMS[number].title}"][number % 2]
    item = {"artistName": PEOPLE[number % len(PEOPLE)], "artworkUrl100": self.art(number), "releaseDate": "2024-02-03T08:00:00Z",
            "primaryGenreName": "Music", "currency": "USD", "collectionName": title, "trackName": title, "collectionId": 9400 + number,
            "trackId": 9500 + number, "trackTimeMillis": 2_700_000 + 60_000 * number, "collectionPrice": 4.99, "trackCount": 12,
            "collectionViewUrl": f"{self.url}/item/{number}", "previewUrl": f"{self.url}/media/{number}.m4a",
            "feedUrl": f"{self.url}/feed/{number}", "description": f"How {music.ALBUMS[number].artist} made an album in a boat house."}
    kinds = {"audiobook": {"wrapperType": "audiobook"}, "podcast": {"wrapperType": "track", "kind": "podcast"},
             "movie": {"wrapperType": "track", "kind": "feature-movie"}}
    return item | kinds[kind]

  def search(self, query):
    kind = query.get("entity", ["song"])[0]
    numbers = range(len(music.ALBUMS))
    results = {"song": self.songs, "album": lambda: [self.album(number) for number in numbers]}.get(
      kind, lambda: [self.other(kind, number) for number in numbers] if kind in ("audiobook", "podcast", "movie") else [])()
    return {"resultCount": len(results), "results": results}

  def lookup(self, query):
    number = int(query["id"][0]) - 9000
    if 0 <= number < len(music.ALBUMS):
      results = [self.album(number)] + [self.song(number, index) for index in range(len(music.ALBUMS[number].titles))]
    elif 0 <= number - 100 < len(music.ALBUMS):
      artist = music.ALBUMS[number - 100].artist
      results = [self.album(index) for index, album in enumerate(music.ALBUMS) if album.artist == artist]
    else:
      results = [song for song in self.songs() if song["trackId"] == number + 9000]
    return {"resultCount": len(results), "results": results}

  def chart(self, name):
    entries = []
    for place in range(48):
      number = place % len(music.ALBUMS)
      album = music.ALBUMS[number]
      index = place // len(music.ALBUMS)
      title = album.title if name == "topalbums" else album.titles[index]
      entries.append({
        "im:name": {"label": title}, "im:artist": {"label": album.artist, "attributes": {"href": f"https://music.example/artist/name/{9100 + number}"}},
        "im:image": [{"label": self.art(number), "attributes": {"height": "170"}}],
        "link": [{"attributes": {"rel": "alternate", "href": f"{self.url}/album/{number}"}}],
        "id": {"label": f"{self.url}/{place}", "attributes": {"im:id": str(9000 + number if name == "topalbums" else 920000 + number * 100 + index)}},
        "category": {"attributes": {"label": album.genre}}, "im:itemCount": {"label": str(len(album.titles))},
        "im:releaseDate": {"label": f"{album.year}-05-12T00:00:00-07:00"}})
    return {"feed": {"entry": entries[:24] if name == "topalbums" else entries}}

  def film(self, number):
    title, overview, year, rating = FILMS[number % len(FILMS)]
    return {"id": 101 + number, "title": title, "original_title": title, "original_language": "en", "overview": overview, "popularity": 90 - number,
            "genre_ids": [28, 53], "poster_path": f"/{number}.png", "release_date": f"{year}-03-0{number % 9 + 1}", "vote_average": rating,
            "vote_count": 800 + 37 * number}

  def person(self, number):
    return {"id": 201 + number, "name": PEOPLE[number], "known_for_department": "Acting", "popularity": 40.5 - number,
            "profile_path": f"/{number + 10}.png", "known_for": [self.film(number), self.film(number + 3)]}

  def tmdb(self, path):
    if "person" in path and path[-1].isdigit():
      number = int(path.rsplit("/", 1)[1]) - 201
      return self.person(number) | {
        "biography": f"{PEOPLE[number]} grew up above a cinema, and began on the stage of a harbour theatre.\n\nSince then there were thirty "
                     "films, of which the critics liked nine, and the public eleven.",
        "birthday": f"19{70 + number}-0{number % 9 + 1}-14", "place_of_birth": "Port Sable", "homepage": "https://actor.example/",
        "movie_credits": {"cast": [self.film(number + step) | {"id": 101 + (number + step) % len(FILMS)} for step in range(4)]}}
    if "movie" in path and path[-1].isdigit():
      number = int(path.rsplit("/", 1)[1]) - 101
      cast = [self.person((number + step) % len(PEOPLE)) | {"character": role} for step, role in enumerate(["Mara", "The Captain", "Old Finn", "Judge"])]
      return self.film(number) | {
        "genres": [{"id": 28, "name": "Action"}, {"id": 53, "name": "Thriller"}], "runtime": 97 + number * 6, "tagline": "It is only a picture.",
        "budget": 42_000_000, "revenue": 130_000_000, "homepage": "https://film.example/", "production_countries": [{"iso_3166_1": "NO"}],
        "credits": {"cast": cast, "crew": [{"id": 301, "name": "Ilse Norden", "job": "Director"}]}}
    results = [self.person(number) for number in range(len(PEOPLE))] if "person" in path else [self.film(number) for number in range(len(FILMS))]
    return {"page": 1, "results": results, "total_pages": 1, "total_results": len(results)}

  def stations(self):
    return [
      {"stationuuid": f"aaaaaaaa-0000-4000-8000-{number:012}", "name": name, "url": f"{self.url}/media/{number}.mp3",
       "url_resolved": f"{self.url}/media/{number}.mp3", "homepage": "https://station.example/", "favicon": self.art(number), "tags": tags,
       "country": country, "countrycode": country, "language": language, "votes": 9000 - 613 * number, "codec": codec, "bitrate": bitrate,
       "hls": 0, "lastcheckok": 1, "clickcount": 4000 - 211 * number}
      for number, (name, tags, country, language, codec, bitrate) in enumerate(STATIONS)]

  def respond(self, path, query):
    """Returns the content of a response; None if there is nothing at the path."""
    if path == "/itunes/search":
      return self.search(query)
    if path == "/itunes/lookup":
      return self.lookup(query)
    if "/rss/" in path:
      return self.chart(path.split("/rss/")[1].split("/")[0])
    if path.startswith("/tmdb/"):
      return self.tmdb(path)
    if path.startswith("/radio/json/stations"):
      return self.stations()
    if path.startswith("/radio/json/url/"):
      return {"ok": True}
    return None


@functools.lru_cache(None)
def picture(path):
  """Returns the cover whose number is in a path. That of a film or a person is upright."""
  number = int("".join(filter(str.isdigit, path.split("/")[2 if path.startswith("/art/") else -1])))
  album = music.ALBUMS[number % len(music.ALBUMS)]
  drawn = album.design(album.colors, random.Random(album.title))
  drawn = drawn.crop((170, 0, 830, 1000)).resize((264, 400)) if path.startswith("/images/") else drawn.resize((300, 300))
  file = io.BytesIO()
  drawn.save(file, "PNG")
  return file.getvalue()


class Handler(http.server.BaseHTTPRequestHandler):
  def do_GET(self):
    path, _, query = self.path.partition("?")
    is_picture = path.startswith(("/art/", "/images/"))
    content = picture(path) if is_picture else Catalog(self.server.url).respond(path, urllib.parse.parse_qs(query))
    body = content if is_picture else json.dumps(content or {}).encode()
    self.send_response(404 if content is None else 200)
    self.send_header("Content-Type", "image/png" if is_picture else "application/json")
    self.send_header("Content-Length", str(len(body)))
    self.end_headers()
    self.wfile.write(body)

  def log_message(self, *_):
    pass


def main():
  server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
  server.url = f"http://127.0.0.1:{server.server_port}"
  lines = ["[Catalog]", "Country=us", "Language=en-US"] + [
    f"{name}URL={server.url}/{path}" for name, path in
    [("ITunes", "itunes"), ("ITunesCharts", "itunes"), ("Tmdb", "tmdb"), ("TmdbImages", "images"), ("RadioBrowser", "radio")]]
  with open(sys.argv[1] + ".new", "w") as file:
    file.write("\n".join(lines) + "\n")
  os.rename(sys.argv[1] + ".new", sys.argv[1])
  server.serve_forever()


if __name__ == "__main__":
  main()
