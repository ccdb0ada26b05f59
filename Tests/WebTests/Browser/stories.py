#!/usr/bin/python3
"""Stories of people with a browser. Usage: stories.py STORY URL [VALUE…]. Exits with status 0 if everything is as expected."""
import os
import pathlib
import re
import sys

import accessibility
from browser import browser

GOLDEN = pathlib.Path(__file__).parent / "Golden"


def expect(condition, what):
  if not condition:
    raise AssertionError(what)


def pairing(url, token):
  """A new phone scans the code."""
  with browser(url) as page:
    page.open(f"#pair={token}")
    page.one("nav.main")
    expect(token not in page.driver.current_url, "the token is no longer in the address")
    page.driver.back()
    expect(token not in page.driver.current_url, "the token is not in the history")
    page.open()
    page.one("nav.main")
    expect(page.errors() == [], page.errors())
    page.open(f"#pair={token}")
    page.shows("The code is not valid any more.")


def registration(url, token):
  """A guest follows the link of an invitation, makes every mistake, and corrects it."""
  wrong = {
    "firstName": ("Анна", "Use Latin letters."), "lastName": ("", "Enter a name."),
    "phone": ("29", "Enter a number such as +375 (29) 123-45-67."), "email": ("anna", "Enter an address such as name@example.com."),
    "password": ("secret", "Use at least one digit."),
  }
  right = {
    "firstName": "Anna", "lastName": "O'Neill", "phone": "291234567", "email": "anna@example.com", "password": "Secret1"}
  with browser(url) as page:
    page.open(f"#invite={token}")
    for name, (text, _) in wrong.items():
      page.fill(name, text)
    page.click("Register")
    for name, (_, message) in wrong.items():
      field = page.one(f"input[name={name}]")
      expect(field.get_attribute("aria-invalid") == "true", f"{name} is invalid")
      described = field.get_attribute("aria-describedby").split()[-1]
      expect(page.text(f"#{described}") == message, f"{name}: {page.text(f'#{described}')}")
      expect(page.one(f"#{described}").get_attribute("role") == "alert", f"the error of {name} is read out")
    expect(page.text("#birthDate-error") == "Enter a date in the past.", page.text("#birthDate-error"))
    page.driver.execute_script(
      "const field = document.querySelector('input[name=birthDate]'); field.value = '2015-01-01';"
      "field.dispatchEvent(new Event('input', {bubbles: true}))")
    page.shows("You must be at least 18 years old.", "#birthDate-error")
    page.driver.execute_script(
      "const field = document.querySelector('input[name=birthDate]'); field.value = '1990-02-28';"
      "field.dispatchEvent(new Event('input', {bubbles: true}))")
    for name, text in right.items():
      page.fill(name, text)
    expect(page.one("input[name=phone]").get_attribute("value") == "+375 (29) 123-45-67", "the phone number is formatted")
    for name in wrong:
      expect(page.text(f"#{name}-error") == "", f"the error of {name} is gone")
    page.click("Register")
    page.one("nav.main")
    page.open("#/profile")
    for text in ("Anna O'Neill", "February 28, 1990", "+375 (29) 123-45-67", "anna@example.com", "This browser"):
      page.shows(text, "main")
    page.click("Sign out")
    page.one("input[name=email]")
    page.fill("email", "anna@example.com")
    page.fill("password", "Secret2")
    page.click("Sign in")
    page.shows("the e-mail address or the password is wrong")
    page.fill("password", "Secret1")
    page.click("Sign in")
    page.one("nav.main")
    expect([error for error in page.errors() if "rpc" not in error] == [], page.errors())


def queue(url, token):
  """Somebody plays a song of the queue, pauses, moves and removes songs, and takes that back."""
  with browser(url) as page:
    page.open(f"#pair={token}")
    titles = lambda: [element.text for element in page.all("main .row .title")]
    page.wait("five songs", lambda: len(titles()) == 5)
    before = titles()
    page.all("main .row .main")[1].click()
    page.wait("the second song is current", lambda: page.one(".row.current .title").text == before[1])
    page.click("Open the player")
    page.shows(before[1], "dialog.player")
    page.wait("the position advances", lambda: page.text("dialog.player .times").split()[0] >= "0:01")
    page.click("Pause")
    page.named("Play")
    page.click("Close the player")
    page.click(f"Move {before[4]}")
    page.click("Move to the beginning")
    page.wait("the last song is the first", lambda: titles()[0] == before[4])
    page.click(f"Remove {before[0]}")
    page.wait("it is gone", lambda: before[0] not in titles())
    page.click("Undo")
    page.wait("it is back", lambda: before[0] in titles())
    page.size("wide")
    page.wait("the player is beside the list", lambda: before[1] in page.text("aside.panel"))
    expect(page.errors() == [], page.errors())


def position(url, token):
  """The position on the page is that of the daemon to a tenth of a second, while a track plays and after a seek and a pause."""
  difference = """
    const done = arguments[0], begun = performance.now();
    const body = JSON.stringify({method: "status"});
    fetch("/rpc", {method: "POST", headers: {"Content-Type": "application/json"}, body}).then(response => response.json()).then(({result}) => {
      const slider = document.querySelector("dialog.player input[aria-label=Position]");
      done({daemon: result.position, page: slider.value / slider.max * result.duration, trip: (performance.now() - begun) / 1000});
    });
  """
  with browser(url) as page:
    page.open(f"#pair={token}")
    page.wait("five songs", lambda: len(page.all("main .row")) == 5)
    page.all("main .row .main")[3].click()
    page.click("Open the player")

    def check(what):
      found = page.driver.execute_async_script(difference)
      error = found["page"] - found["daemon"]
      expect(-0.1 - found["trip"] < error < 0.1 + found["trip"], f"{what}: {found}")

    page.wait("the position advances", lambda: page.text("dialog.player .times").split()[0] >= "0:01")
    for _ in range(5):
      check("while it plays")
    page.one("dialog.player input[aria-label=Position]").send_keys("\ue010")
    page.one("dialog.player input[aria-label=Position]").send_keys("\ue011")
    page.wait("it plays from the start", lambda: page.text("dialog.player .times").split()[0] == "0:01")
    check("after a seek")
    page.click("Pause")
    page.named("Play")
    check("after a pause")
    expect(page.errors() == [], page.errors())


def together(url, first, second):
  """Two people look at the same lists: each sees at once what the other one changes."""
  with browser(url) as anna, browser(url, "wide") as boris:
    anna.open(f"#pair={first}")
    boris.open(f"#pair={second}")
    anna.one("nav.main")
    anna.open("#/favorites")
    anna.shows("No favorites yet.", "main")
    boris.wait("five songs", lambda: len(boris.all("main .row")) == 5)
    boris.all("main .row .favorite")[0].click()
    boris.shows("Added to the favorites.")
    anna.shows("Before Dawn", "main")
    anna.open("#/queue")
    anna.click("Save as a playlist…")
    anna.one("dialog input").send_keys("Evening")
    anna.click("Save")
    boris.open("#/playlists")
    boris.shows("Evening", "main")
    anna.open("#/playlists")
    anna.shows("Evening", "main")
    boris.click("More about Evening")
    boris.click("Delete…")
    boris.click("Delete")
    anna.shows("No playlists yet.", "main")
    anna.open("#/library/albums")
    anna.one(".tile").click()
    anna.shows("The Oscillators", "main h1 + .detail, main .detail")
    anna.click("Play")
    boris.wait("the player shows the first song", lambda: "Before Dawn" in boris.text("aside.panel"))
    boris.one("aside.panel input[type=range][aria-label=Volume]").send_keys("\ue012" * 20)
    anna.click("Open the player")
    anna.wait("the volume is the same", lambda: int(anna.one("dialog.player input[aria-label=Volume]").get_attribute("value")) < 90)
    # A phone that was locked shows no old state when it is unlocked.
    show = "Object.defineProperty(document, 'visibilityState', {value: arguments[0], configurable: true});" \
      "document.dispatchEvent(new Event('visibilitychange'))"
    anna.click("Close the player")
    anna.open("#/favorites")
    anna.shows("Before Dawn", "main")
    anna.driver.execute_script(show, "hidden")
    boris.open("#/favorites")
    boris.shows("Before Dawn", "main")
    boris.open("#/queue")
    boris.wait("five songs", lambda: len(boris.all("main .row")) == 5)
    boris.all("main .row .favorite")[0].click()
    boris.shows("Removed from the favorites.")
    boris.click("Clear the queue")
    anna.driver.execute_script(show, "visible")
    anna.shows("No favorites yet.", "main")
    anna.wait("nothing is played", lambda: not any(bar.is_displayed() for bar in anna.all(".bar")))
    expect(anna.errors() + boris.errors() == [], anna.errors() + boris.errors())


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


STORIES = {story.__name__: story for story in (pairing, registration, queue, position, together, accessible, screens)}

if __name__ == "__main__":
  try:
    STORIES[sys.argv[1]](*sys.argv[2:])
  except AssertionError as failure:
    sys.exit(f"{sys.argv[1]}: {failure}")
