"""Stories of how the page looks: its languages, sizes and themes, and what people need who do not see well."""
import os
import pathlib
import re

import accessibility
from browser import browser, expect, signed_in
from machine import rpc, segue

GOLDEN = pathlib.Path(__file__).parent / "Golden"
PAGE = pathlib.Path(__file__).parent.parent.parent.parent / "Sources/SegueWeb/Page"


def accessible(url, token):
  """Every screen has names for all controls, the tree of the golden texts, enough contrast in both themes, and targets for fingers."""
  addresses = {
    "queue": "Before Dawn", "library/albums": "Segue", "library/artists": "The Oscillators", "library/folders": "music",
    "search/library?q=dawn": "Before Dawn", "favorites": "No favorites", "playlists": "No playlists", "settings": "Read the music folders again", "profile": "This browser", "more": "",
  }
  problems = []
  with browser(url) as page:
    page.open(f"#pair={token}")
    page.one("nav.main")
    for theme in ("light", "dark"):
      page.size("phone", theme)
      for address, text in addresses.items():
        page.open(f"#/{address}")
        page.shows(text, "main")
        problems += [f"{theme} {address}: contrast of {one}" for one in accessibility.contrast(page)]
        if theme == "dark":
          continue
        problems += [f"{address}: small target {one}" for one in accessibility.small_targets(page)]
        found = accessibility.tree(page)
        problems += [f"{address}: no name: {line}" for line in accessibility.nameless(found)]
        # Times, and the name of the browser, differ from run to run.
        found = re.sub(r"Chrome on \w+", "BROWSER", re.sub(r"\d{1,2}:\d\d( [AP]M)?|[A-Z][a-z]{2} \d{1,2}, \d{4}", "TIME", found))
        golden = GOLDEN / (re.sub(r"\W", "-", address.split("?")[0]) + ".txt")
        if os.environ.get("SEGUE_RECORD"):
          golden.write_text(found)
        elif golden.read_text() != found:
          problems.append(f"{address}: the tree differs from {golden.name}; SEGUE_RECORD=1 writes it:\n{found}")
  expect(not problems, "\n".join(problems))


def screens(url, token):
  """Somebody looks at every screen, in both languages, sizes and themes: none is empty, and the console has no error."""
  hashes = {
    "queue": "Before Dawn", "library/albums": "Segue", "library/artists": "The Oscillators", "library/genres": "", "library/folders": "music",
    "search/library?q=dawn": "Before Dawn", "favorites": "", "playlists": "", "history/time": "", "settings": "", "profile": "", "more": "",
  }
  with browser(url, language="ru") as page:
    page.open(f"#pair={token}")
    page.shows("Очередь")
    for size in ("phone", "wide"):
      for theme in ("light", "dark"):
        page.size(size, theme)
        for address, text in hashes.items():
          page.open(f"#/{address}")
          page.wait(f"a heading in {address}", lambda: page.driver.execute_script("return document.querySelector('main h1')?.textContent"))
          page.shows(text, "main")
          width = page.driver.execute_script("return document.documentElement.scrollWidth - innerWidth")
          expect(width <= 0, f"{address} is {width} pixels wider than a {size}")
    expect(page.errors() == [], page.errors())


def colours(url, token):
  """Whatever colour the cover has: what is drawn in it can be read, in both themes."""
  with signed_in(url, token, size="wide") as page:
    page.wait("five songs", lambda: len(page.all("main .row")) == 5)
    rpc("play")
    page.one(".row.current")
    accent = (PAGE / "accent.js").read_text().replace("export ", "")
    paint = accent + "paint([...arguments]); return getComputedStyle(document.documentElement).getPropertyValue('--hue')"
    problems = []
    for theme in ("light", "dark"):
      page.size("wide", theme)
      for hue in range(0, 360, 20):
        for saturation in (30, 100):
          expect(page.driver.execute_script(paint, hue, saturation) == str(hue), "the page has the colour")
          problems += [f"{theme} {hue} {saturation}: {one}" for one in accessibility.contrast(page)]
    expect(not problems, "\n".join(problems))


def settings(url, token):
  """Somebody chooses theme and language, which stay, and changes a setting of the machine."""
  with signed_in(url, token, "settings") as page:
    background = lambda: page.driver.execute_script("return getComputedStyle(document.body).backgroundColor")
    light = background()
    page.choose("Theme", "Dark")
    page.wait("the page is dark", lambda: background() != light)
    dark = background()
    crossfade = page.one("input[id='setting-player.crossfade']")
    # Control and A select what stands there.
    crossfade.send_keys("\ue009a\ue000", "3\t")
    page.wait("the machine has it", lambda: segue("settings", "get", "crossfade").startswith("3"))
    rpc("play")
    controls = "return navigator.mediaSession.playbackState"
    expect(page.driver.execute_script(controls) == "none", "the page does not take the lock screen by itself")
    page.one("input#media").click()
    page.wait("the lock screen has controls", lambda: page.driver.execute_script(controls) == "playing")
    rpc("pause")
    page.wait("they follow the machine", lambda: page.driver.execute_script(controls) == "paused")
    page.one("input#media").click()
    page.wait("they are gone", lambda: page.driver.execute_script(controls) == "none")
    page.choose("Language", "Русский")
    page.shows("Настройки", "main h1")
    page.open("#/queue")
    page.shows("Очередь", "main h1")
    expect(background() == dark, "the theme stays")


def zoomed(url, token):
  """A text of twice the size fits on a phone."""
  with signed_in(url, token) as page:
    for address in ("queue", "library/albums", "search/library?q=dawn", "settings", "profile"):
      page.open(f"#/{address}")
      page.one("main h1, main input")
      page.driver.execute_script("document.documentElement.style.fontSize = '32px'")
      width = page.driver.execute_script("return document.documentElement.scrollWidth - innerWidth")
      expect(width <= 0, f"{address} is {width} pixels wider than the phone")


def installable(url, token):
  """The browser offers to install the page."""
  with signed_in(url, token) as page:
    problems = page.driver.execute_cdp_cmd("Page.getInstallabilityErrors", {})["installabilityErrors"]
    # The tests use a private profile of the browser, which installs nothing.
    expect([one["errorId"] for one in problems if one["errorId"] != "in-incognito"] == [], problems)
