#!/usr/bin/python3
"""Takes the pictures of the web remote. contrib/screenshots/take runs it beside a daemon whose music folder is $XDG_MUSIC_DIR.

Usage: web.py PORT

It adds albums with covers to the music folder, which are made up, and registers at the gateway at PORT, where everybody may. Needs
chromium and python3-selenium, like the tests of the page, whose browser it uses.
"""
import json
import os
import pathlib
import struct
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Tests/WebTests/Browser"))
from browser import browser  # noqa: E402

MUSIC = pathlib.Path(os.environ["XDG_MUSIC_DIR"])
PICTURES = ROOT / "contrib/screenshots"
# Title, artist, year, genre, and the background of the cover in CSS.
ALBUMS = [
  ("Cartographer", "Fenwick & Rowe", 2012, "Folk",
   "repeating-radial-gradient(circle at 30% 70%, #e8dcc0 0 14px, #b9a77c 14px 16px, #e8dcc0 16px 30px)"),
  ("Copper Hours", "The Lamplighters", 2015, "Jazz", "radial-gradient(circle at 50% 40%, #f4b860 0 22%, #8c3b1a 23% 60%, #2a0f0a 100%)"),
  ("Low Tide", "Aiko Tanabe", 2024, "Ambient", "linear-gradient(#9fc7d9 0 45%, #3d7a99 45% 62%, #d8c9a8 62%)"),
  ("Northern Rails", "Halde", 2019, "Electronic", "repeating-linear-gradient(115deg, #10202b 0 26px, #1f6f78 26px 34px, #10202b 34px 52px, #e4572e 52px 58px)"),
  ("Salt and Static", "Mira Voss", 2023, "Pop", "conic-gradient(from 200deg at 60% 60%, #f7d6e0, #b5179e, #3a0ca3, #f72585, #f7d6e0)"),
  ("Violet Engine", "Night Ferry", 2018, "Electronic", "radial-gradient(circle at 70% 30%, #fff3 0 8%, transparent 9%), linear-gradient(160deg, #2b1055, #7597de)"),
  ("Паруса", "Белая ночь", 2021, "Rock", "linear-gradient(115deg, transparent 48%, #f1faee 48.5% 62%, transparent 62.5%), linear-gradient(#457b9d 60%, #1d3557 60%)"),
]
TITLES = ["First Light", "Harbour", "The Long Way", "Undertow"]


def tagged(flac, tags):
  """Returns a FLAC file with other tags, and without pictures."""
  blocks, place, is_last = [], 4, False
  while not is_last:
    kind, size = flac[place], int.from_bytes(flac[place + 1:place + 4], "big")
    is_last = kind & 0x80 != 0
    # Neither comments nor pictures nor padding.
    if kind & 0x7F not in (1, 4, 6):
      blocks.append((kind & 0x7F, flac[place + 4:place + 4 + size]))
    place += 4 + size
  comments = [f"{name}={value}".encode() for name, value in tags.items()]
  text = struct.pack("<I", 0) + struct.pack("<I", len(comments)) + b"".join(struct.pack("<I", len(one)) + one for one in comments)
  blocks.append((4, text))
  head = b"".join(
    bytes([kind | (0x80 if index == len(blocks) - 1 else 0)]) + len(block).to_bytes(3, "big") + block
    for index, (kind, block) in enumerate(blocks))
  return b"fLaC" + head + flac[place:]


def add_albums(driver):
  """Adds the albums to the music folder. The browser draws their covers."""
  sound = (MUSIC / "Segue/01 Before Dawn.flac").read_bytes()
  driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 500, "height": 500, "deviceScaleFactor": 1, "mobile": False})
  for title, artist, year, genre, background in ALBUMS:
    folder = MUSIC / title
    folder.mkdir()
    driver.get(f"data:text/html;charset=utf-8,<body style='margin:0;height:500px;background:{background.replace('#', '%23')}'>")
    driver.save_screenshot(str(folder / "cover.png"))
    for number, name in enumerate(TITLES, 1):
      tags = {"TITLE": name, "ARTIST": artist, "ALBUM": title, "DATE": year, "GENRE": genre, "TRACKNUMBER": number}
      (folder / f"{number} {name}.flac").write_bytes(tagged(sound, tags))


def rpc(method, parameters=None):
  text = subprocess.run(["segue", "rpc", method, json.dumps(parameters or {})], check=True, stdout=subprocess.PIPE, text=True).stdout
  return json.loads(text)


def take(page, name, address, shown, size, theme, scale):
  """Saves a screen when it shows a text and all of its pictures."""
  page.open(f"#/{address}")
  page.size(size, theme, scale)
  if address == "queue" and size == "phone":
    page.click("Open the player")
  page.shows(shown)
  pictures = "return [...document.images].every(one => !one.checkVisibility() || one.complete && one.naturalWidth) && !document.getAnimations().length"
  page.wait("all pictures", lambda: page.driver.execute_script(pictures) and page.all(".cover.loaded"))
  path = PICTURES / f"web-{name}.png"
  page.driver.save_screenshot(str(path))
  print(f"contrib/screenshots/{path.name}", file=sys.stderr)


REGISTER = """
  const done = arguments[0];
  const params = {firstName: "Anna", lastName: "Smith", birthDate: "1990-02-28", phone: "+375 (29) 123-45-67", email: "anna@example.com", password: "Secret1"};
  const body = JSON.stringify({method: "web.register", params});
  fetch("/rpc", {method: "POST", headers: {"Content-Type": "application/json"}, body}).then(response => response.text()).then(done);
"""


def main():
  with browser(f"http://127.0.0.1:{sys.argv[1]}/") as page:
    page.open()
    page.one("form")
    if "result" not in (answer := page.driver.execute_async_script(REGISTER)):
      sys.exit(f"nobody can register: {answer}")
    add_albums(page.driver)
    end = time.monotonic() + 20
    while rpc("library.status")["albums"] < len(ALBUMS) + 1:
      if time.monotonic() > end:
        sys.exit("the albums are not in the library")
      time.sleep(0.05)
    albums = {album["title"]: album["uri"] for album in rpc("library.albums")["albums"]}
    rpc("queue.replace", {"uris": [albums["Copper Hours"], albums["Low Tide"], albums["Violet Engine"]], "play": ""})
    rpc("repeat", {"mode": "one"})
    rpc("pause")
    rpc("seek", {"position": 3})
    rpc("favorites.add", {"uris": [albums["Copper Hours"], rpc("status")["track"]["uri"]]})
    take(page, "phone", "queue", "First Light", "phone", "dark", 2)
    take(page, "wide", "library/albums", "Violet Engine", "wide", "light", 1)


main()
