#!/usr/bin/python3
"""Takes the pictures of the web remote. contrib/screenshots/take runs it beside a daemon with the library of music.py.

Usage: web.py PORT

It registers at the gateway at PORT, where everybody may. Needs chromium and python3-selenium, like the tests of the page, whose
browser it uses.
"""
import io
import pathlib
import sys

from PIL import Image

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Tests/WebTests/Browser"))
from browser import browser  # noqa: E402
from terminal import rpc  # noqa: E402

PICTURES = ROOT / "contrib/screenshots"


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
  picture = Image.open(io.BytesIO(page.driver.get_screenshot_as_png())).convert("RGB")
  picture.quantize(255).save(path, optimize=True)
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
    albums = {album["title"]: album["uri"] for album in rpc("library.albums")["albums"]}
    rpc("queue.replace", {"uris": [albums["Copper Hours"], albums["Low Tide"], albums["Violet Engine"]], "play": ""})
    rpc("repeat", {"mode": "one"})
    rpc("pause")
    rpc("seek", {"position": 3})
    rpc("favorites.add", {"uris": [albums["Copper Hours"], rpc("status")["track"]["uri"]]})
    take(page, "phone", "queue", "Four in the Morning", "phone", "dark", 2)
    take(page, "wide", "library/albums", "Cartographer", "wide", "light", 1)


main()
