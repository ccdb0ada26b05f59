"""Stories of people who play, see and change what is played."""
import pathlib

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from browser import browser, expect, signed_in
from machine import queue as queue_of_machine
from machine import rpc, segue


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
    page.click(f"Move {before[0]}")
    page.click("Remove")
    page.wait("it is gone", lambda: before[0] not in titles())
    page.click("Undo")
    page.wait("it is back", lambda: before[0] in titles())
    page.size("wide")
    page.wait("the player is beside the list", lambda: before[1] in page.text("aside.panel"))
    expect(page.errors() == [], page.errors())


def several(url, token):
  """Somebody selects several rows at once: in the queue by the menu, on a phone by a finger that rests, and with a mouse."""
  with signed_in(url, token) as page:
    titles = lambda: [element.text for element in page.all("main .row .title")]
    page.wait("five songs", lambda: len(titles()) == 5)
    before = titles()
    rpc("play", {"index": 0})
    rpc("pause")
    page.click(f"Move {before[4]}")
    page.click("Select several…")
    page.shows("1 selected", ".selection")
    page.all("main .row .main")[3].click()
    page.shows("2 selected", ".selection")
    expect(rpc("status")["index"] == 0, "a tap on a row only chooses it")
    page.click("Up next")
    moved = [before[0], *before[3:], *before[1:3]]
    page.wait("both are next", lambda: titles() == moved)
    expect(not page.all(".selection"), "nothing is chosen any more")

    row = page.centre(page.all("main .row .main")[1])
    page.finger("touchStart", *row)
    page.shows("1 selected", ".selection")
    page.finger("touchEnd")
    page.all("main .row .main")[2].click()
    page.shows("2 selected", ".selection")
    page.all("main .row .main")[2].click()
    page.shows("1 selected", ".selection")
    page.click("Remove")
    page.shows("1 track was removed.")
    page.click("Undo")
    page.wait("it is back", lambda: titles() == moved)

    # While rows are selected, another one is played, and somebody removes one of them.
    page.click(f"Move {moved[3]}")
    page.click("Select several…")
    page.all("main .row .main")[4].click()
    page.shows("2 selected", ".selection")
    entries = rpc("queue.list")["tracks"]
    rpc("play", {"index": 1})
    rpc("pause")
    rpc("queue.remove", {"ids": [entries[4]["id"]]})
    page.shows("1 selected", ".selection")
    page.wait("the second song is current", lambda: page.one(".row.current .title").text == moved[1])
    page.click("Up next")
    page.wait("it follows the current song", lambda: titles() == [moved[0], moved[1], moved[3], moved[2]])
    rpc("queue.undo")
    rpc("queue.undo")
    page.wait("the queue is as before", lambda: titles() == moved)

    page.size("wide")
    page.wait("the player is beside the list", lambda: page.text("aside.panel"))
    rows = page.all("main .row .main")
    ActionChains(page.driver).key_down(Keys.CONTROL).click(rows[1]).key_up(Keys.CONTROL).perform()
    ActionChains(page.driver).key_down(Keys.SHIFT).click(rows[4]).key_up(Keys.SHIFT).perform()
    page.shows("4 selected", ".selection")
    page.one("body").send_keys(Keys.ESCAPE)
    page.wait("nothing is chosen any more", lambda: not page.all(".selection"))

    page.go("library/genres")
    page.one("main .row a.main").click()
    page.wait("songs of the genre", lambda: len(titles()) > 1)
    wanted = titles()[:2]
    page.click(f"More about {wanted[0]}")
    page.click("Select several…")
    page.all("main .row .main")[1].click()
    page.click("Playlist")
    page.one("dialog input").send_keys("Two")
    page.click("Create")
    page.shows("Added to Two.")
    page.wait("the playlist has both", lambda: [track["metadata"]["title"] for track in rpc("playlists.get", {"name": "Two"})["tracks"]] == wanted)

    # More than one request can carry.
    rpc("playlists.save", {"name": "Long", "uris": [entries[0]["uri"]] * 1000})
    page.go("playlist/Long")
    page.wait("the playlist", lambda: page.all("main .row .main"))
    ActionChains(page.driver).key_down(Keys.CONTROL).click(page.all("main .row .main")[0]).key_up(Keys.CONTROL).perform()
    page.size("phone")
    edges = page.driver.execute_script("return [...document.querySelectorAll('.selection button')].map(one => one.getBoundingClientRect()).map(({left, right}) => [left, right])")
    expect(all(0 <= left and right <= 390 for left, right in edges), f"the actions fit a phone: {edges}")
    page.size("wide")
    page.driver.execute_script("scrollTo(0, document.body.scrollHeight)")
    page.wait("the last song", lambda: page.all("main .row[aria-posinset='1000'] .main"))
    page.driver.execute_script("scrollTo(0, document.body.scrollHeight)")
    ActionChains(page.driver).key_down(Keys.SHIFT).click(page.all("main .row[aria-posinset='1000'] .main")[0]).key_up(Keys.SHIFT).perform()
    page.shows("1000 selected", ".selection")
    page.named("Play", ".selection button").click()
    page.wait("all are in the queue", lambda: rpc("status")["length"] == 1000)
    page.click("Undo")
    page.wait("one step takes all of it back", lambda: rpc("status")["length"] == 5)


def position(url, token):
  """The position on the page is that of the daemon to a tenth of a second, while a track plays and after a seek and a pause."""
  # The slider is drawn four times a second: what it shows is compared when it was drawn.
  difference = """
    const [moves, done] = arguments;
    const slider = document.querySelector("dialog.player input[aria-label=Position]");
    const compare = () => {
      const begun = performance.now(), shown = slider.value / slider.max;
      const body = JSON.stringify({method: "status"});
      fetch("/rpc", {method: "POST", headers: {"Content-Type": "application/json"}, body}).then(response => response.json()).then(({result}) =>
        done({daemon: result.position, page: shown * result.duration, trip: (performance.now() - begun) / 1000}));
    };
    if (!moves) compare();
    else new MutationObserver((_, observer) => { observer.disconnect(); compare(); }).observe(slider, {attributes: true, attributeFilter: ["style"]});
  """
  with browser(url) as page:
    page.open(f"#pair={token}")
    page.wait("five songs", lambda: len(page.all("main .row")) == 5)
    page.all("main .row .main")[3].click()
    page.click("Open the player")

    def check(what, moves=True):
      found = page.driver.execute_async_script(difference, moves)
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
    check("after a pause", moves=False)
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


def restart(url, token, folder):
  """The daemon ends while somebody looks at the page, and starts again. `folder`/STEP tells the test how far the story is."""
  with browser(url) as page:
    page.open(f"#pair={token}")
    page.wait("five songs", lambda: len(page.all("main .row")) == 5)
    rpc("play")
    page.named("Pause")
    pathlib.Path(folder, "shown").touch()
    page.shows("The music service of the machine does not run.", ".bar")
    expect(not page.named("Pause").is_enabled(), "nothing can be paused without the daemon")
    page.go("history/time")
    page.shows("The music service of the machine does not answer.")
    page.driver.back()
    pathlib.Path(folder, "offline").touch()
    page.wait("the message is gone", lambda: "does not run" not in page.text(".bar"))
    page.click("Play Clockwork, The Oscillators")
    page.wait("it plays", lambda: page.text(".bar .title") == "Clockwork" and page.named("Pause"))


def player(url, token):
  """Somebody reads along, changes chapter, speed, volume and output, and sets the sleep timer."""
  with signed_in(url, token) as page:
    rpc("repeat", {"mode": "one"})
    page.click("Play Before Dawn, The Oscillators")
    page.click("Open the player")
    page.click("Lyrics")
    page.wait("the third line is sung", lambda: page.text("ol.lyrics [aria-current=true]") == "Three")
    page.click("One")
    page.wait("the first line is sung again", lambda: page.text("ol.lyrics [aria-current=true]") == "One")
    page.click("Close")

    page.click("Speed")
    page.click("1.5 ×")
    page.wait("it plays faster", lambda: rpc("status")["speed"] == 1.5)
    page.click("Speed")
    expect(page.named("1.5 ×").get_attribute("aria-pressed") == "true", "the speed is marked")
    page.click("1 ×")

    page.click("Sleep timer")
    page.click("15 minutes")
    page.wait("the timer runs", lambda: rpc("status")["sleep"] is not None)
    page.click("Sleep timer")
    page.shows("Playback stops in 14 minutes", "dialog.sheet")
    page.click("5 minutes more")
    page.wait("the timer runs longer", lambda: 19 * 60 < rpc("status")["sleep"]["seconds"] < 20 * 60)
    page.click("Sleep timer")
    page.one("dialog.sheet input").send_keys("3")
    page.click("Set")
    page.wait("the timer runs for three minutes", lambda: 2 * 60 < rpc("status")["sleep"]["seconds"] < 3 * 60)
    page.click("Sleep timer")
    page.click("Off")
    page.wait("the timer is off", lambda: rpc("status")["sleep"] is None)

    page.click("Outputs")
    page.shows("The default of the machine", "dialog.sheet")
    output = next(button for button in page.all("dialog.sheet .menu button") if button.get_attribute("aria-pressed") == "true")
    name = output.text
    output.click()
    page.wait("the dialog is closed", lambda: not page.all("dialog.sheet"))
    page.wait("the player names the output", lambda: page.text("dialog.player .device").strip() and page.text("dialog.player .device").strip() in name)

    page.click("Show the cover")
    page.wait("the whole picture", lambda: page.driver.execute_script("return document.querySelector('img.full')?.naturalWidth") == 360)
    page.click("Close")

    expect(not page.named("Chapters: This track has no chapters.").is_enabled(), "a track without chapters shows none")
    page.click("Repeat: this track")
    page.click("Repeat: off")
    rpc("play", {"index": 0})
    rpc("pause")
    page.wait("the first song is shown", lambda: "Before Dawn" in page.text("dialog.player h2"))
    x, y = page.centre(page.one("dialog.player .art .cover"))
    page.touch((x, y), (x - 40, y), (x - 120, y))
    page.wait("a finger that moves the cover to the left skips", lambda: rpc("status")["index"] == 1)
    page.touch((x, y), (x + 40, y), (x + 120, y))
    page.wait("and to the right, it goes back", lambda: rpc("status")["index"] == 0)
    page.driver.execute_script(
      "const original = window.fetch; window.calls = []; window.fetch = (address, options) => { calls.push(JSON.parse(options.body).method); return original(address, options); }")
    page.touch((x, y), (x - 30, y))
    page.touch((x, y), (x - 80, y + 90))
    page.click("Mute")
    page.click("Unmute")
    called = page.driver.execute_script("return calls")
    expect(called[-2:] == ["volume", "volume"] and not {"next", "prev"} & set(called) and not page.all("img.full"), f"a short way or an oblique one does nothing: {called}")
    rpc("seek", {"position": 2})
    duration = page.text("dialog.player .times").split()[-1]
    page.click("Show the remaining time")
    page.wait("the remaining time", lambda: page.text("dialog.player .times").split()[-1].startswith("−"))
    page.click("Show the remaining time")
    page.wait("the duration", lambda: page.text("dialog.player .times").split()[-1] == duration)
    rpc("play", {"uri": next(track["uri"] for track in rpc("library.tracks")["tracks"] if "chapters" in track["uri"])})
    rpc("pause")
    page.wait("the book is shown", lambda: page.text("dialog.player .times").split()[-1] == "0:04")
    page.click("Chapters")
    page.wait("three chapters", lambda: len(page.all("dialog.sheet .menu li")) == 3)
    page.all("dialog.sheet .menu li button")[1].click()
    page.wait("the second chapter", lambda: 1 <= rpc("status")["position"] < 1.1)


def volume(url, token):
  """The volume never jumps: it follows the finger from where it is, and a tap changes it by a little."""
  with signed_in(url, token) as page:
    page.click("Play Before Dawn, The Oscillators")
    rpc("volume", {"level": 40})
    page.click("Open the player")
    slider = page.one("dialog.player input[aria-label=Volume]")
    page.wait("the volume is shown", lambda: slider.get_attribute("value") == "40")
    box = page.driver.execute_script("const box = arguments[0].getBoundingClientRect(); return [box.left, box.top + box.height / 2, box.width]", slider)

    def touch(kind, share=None):
      page.finger(kind, *(() if share is None else (box[0] + share * box[2], box[1])))

    touch("touchStart", 0.95)
    touch("touchEnd")
    page.wait("a tap at the loud end adds a little", lambda: rpc("status")["volume"] == 45)
    touch("touchStart", 0.9)
    for step in range(1, 11):
      touch("touchMove", 0.9 - 0.02 * step)
    page.wait("the volume follows the finger", lambda: abs(rpc("status")["volume"] - 25) <= 1)
    rpc("volume", {"level": 90})
    touch("touchMove", 0.6)
    page.wait("it follows the finger, not others", lambda: abs(rpc("status")["volume"] - 15) <= 1)
    touch("touchEnd")
    rpc("volume", {"level": 60})
    page.wait("it follows others again", lambda: slider.get_attribute("value") == "60")
    slider.send_keys("\ue012")
    page.wait("a key changes it by one", lambda: rpc("status")["volume"] == 59)


def keyboard(url, token):
  """Somebody without a mouse plays, moves and removes songs, and keeps the place in the list."""
  with signed_in(url, token, size="wide") as page:
    page.wait("five songs", lambda: len(page.all("main .row")) == 5)
    focused = lambda: page.driver.switch_to.active_element
    focused().send_keys(" ")
    page.wait("the space bar plays", lambda: rpc("status")["state"] == "playing")
    focused().send_keys(" ")
    page.wait("the space bar pauses", lambda: rpc("status")["state"] == "paused")
    page.press("Move Dawn", "\ue015")
    page.wait("the song has moved", lambda: queue_of_machine()[0][2] == "Dawn")
    page.wait("its handle has the focus", lambda: focused().accessible_name == "Move Dawn")
    focused().send_keys("\ue015")
    page.wait("the song has moved again", lambda: queue_of_machine()[0][3] == "Dawn")
    page.press("Remove Clockwork", "\ue007")
    page.wait("it is gone", lambda: "Clockwork" not in queue_of_machine()[0])
    page.wait("the next one can be removed", lambda: focused().accessible_name.startswith("Remove "))
    page.driver.execute_script("document.activeElement.blur()")
    focused().send_keys("/")
    page.wait("the slash opens the search", lambda: page.one("input[type=search]"))


def crowd(url, first, second):
  """Two browsers and the command line change the queue at the same time, and show the same queue in the end."""
  with signed_in(url, first) as anna, signed_in(url, second, size="wide") as boris:
    titles = lambda page: [element.text for element in page.all("main .row .title")]
    for page in (anna, boris):
      page.wait("five songs", lambda: len(titles(page)) == 5)
    segue("move", "1", "5")
    anna.click("Move Dawn")
    anna.click("Remove")
    boris.press("Move Clockwork", "\ue015")
    segue("repeat", "off")
    boris.click("Play City Lights, The Oscillators")
    rpc("queue.add", {"uris": ["segue:search/clockwork"], "at": "next"})
    expected, _ = queue_of_machine()
    for page in (anna, boris):
      page.wait("all show the queue of the machine", lambda: titles(page) == queue_of_machine()[0])
      page.wait("all show the current song", lambda: page.text(".row.current .title") == "City Lights")
    segue("undo")
    for page in (anna, boris):
      page.wait("all show that it was undone", lambda: titles(page) == queue_of_machine()[0] != expected)
