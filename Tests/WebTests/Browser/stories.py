#!/usr/bin/python3
"""Stories of people with a browser. Usage: stories.py STORY URL [VALUE…]. Exits with status 0 if everything is as expected."""
import sys

from browser import browser


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


STORIES = {story.__name__: story for story in (pairing, registration, queue, screens)}

if __name__ == "__main__":
  try:
    STORIES[sys.argv[1]](*sys.argv[2:])
  except AssertionError as failure:
    sys.exit(f"{sys.argv[1]}: {failure}")
