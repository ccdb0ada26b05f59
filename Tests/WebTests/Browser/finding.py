"""Stories of people who look for music: in the library, in their lists, and in online catalogues."""
from browser import expect, signed_in
from machine import queue, rpc

PULL = """
  window.refreshed = [];
  const original = window.fetch;
  window.fetch = (address, options) => {
    if (JSON.parse(options?.body ?? "{}").params?.refresh) window.refreshed.push(address);
    return original(address, options);
  };
"""


def tiles(page):
  """Returns the lines of each tile."""
  script = "return [...document.querySelectorAll('main .tile')].map(one => [...one.querySelectorAll('.title, .detail')].map(text => text.textContent))"
  return page.driver.execute_script(script)


def titles(page):
  return [element.text for element in page.all("main .row .title")]


def library(url, token):
  """Somebody looks at albums, an album, an artist, a genre, a folder and the details of a song, and plays from each."""
  with signed_in(url, token, "library/albums") as page:
    page.wait("four albums", lambda: len(tiles(page)) == 4)
    expect(tiles(page)[0] == ["Debut", "Björk", "2 songs"], tiles(page))
    expect([tile[0] for tile in tiles(page)] == ["Debut", "Segue", "Группа крови", "Звезда по имени Солнце"], tiles(page))
    columns = {element.rect["x"] for element in page.all("main .tile")}
    expect(len(columns) == 2, f"a phone has two columns: {columns}")
    page.choose("Order", "Year")
    page.wait("the oldest album is the first", lambda: tiles(page) and tiles(page)[0][0] == "Группа крови")

    page.all("main .tile")[[tile[0] for tile in tiles(page)].index("Segue")].click()
    page.shows("The Oscillators", "main h1 ~ .detail")
    page.click("Show the cover")
    page.wait("the whole picture", lambda: page.driver.execute_script("return document.querySelector('img.full')?.naturalWidth") == 360)
    page.click("Close")
    before = queue()[0]
    page.click("Play Clockwork")
    page.wait("the album plays from this song on", lambda: queue() == (["Before Dawn", "Dawn", "Clockwork", "Колыбельная", "City Lights"], 2))
    page.click("Undo")
    page.wait("the queue is as before", lambda: queue()[0] == before)

    page.go("library/artists")
    page.wait("the artists", lambda: "Кино" in titles(page))
    page.all("main .row a.main")[titles(page).index("Кино")].click()
    page.wait("two albums", lambda: len(tiles(page)) == 2)
    page.shows("2 albums · 3 songs", "main")

    page.go("library/genres")
    page.wait("the genres", lambda: "Ambient" in titles(page))
    page.all("main .row a.main")[titles(page).index("Ambient")].click()
    page.wait("five songs", lambda: len(titles(page)) == 5)
    chosen = titles(page)[3]
    page.all("main .row button.main")[3].click()
    page.wait("the genre plays from this song on", lambda: len(queue()[0]) == 5 and queue()[0][queue()[1]] == chosen)

    page.go("library/folders")
    page.one("main .row a.main").click()
    page.wait("folders come first", lambda: set(titles(page)[:4]) == {"Björk", "Book", "Fran%E7ais", "Кино"})
    page.click("Play Dawn, The Oscillators")
    page.wait("the folder plays from this song on", lambda: len(queue()[0]) > 5 and queue()[0][queue()[1]] == "Dawn")

    page.click("More about Dawn")
    page.click("Details")
    for text in ("Segue", "FLAC", "44.1 kHz", "The Oscillators", "Ambient"):
      page.shows(text, "main .facts")
    page.click("4 stars")
    page.wait("the rating is stored", lambda: rpc("rating.get", {"uri": rpc("status")["track"]["uri"]})["rating"] == 8)
    page.click("Go to the album")
    page.click("Favorite")
    page.shows("Added to the favorites.")

    page.go("library/folders")
    page.one("main .row a.main").click()
    page.click("Fran%E7ais")
    page.click("More about caf\ufffd")
    page.click("Details")
    page.shows("caf%E9.flac", "main .facts")


def search(url, token):
  """Somebody searches while typing, comes back to an earlier search, and finds nothing."""
  with signed_in(url, token, "search/library") as page:
    page.shows("The results follow what you type.")
    field = page.one("input[type=search]")
    field.send_keys("daw")
    page.wait("two songs", lambda: titles(page) == ["Dawn", "Before Dawn"])
    suggestions = lambda: page.driver.execute_script("return [...document.querySelectorAll('datalist option')].map(one => one.value)")
    page.wait("titles are suggested", lambda: "Before Dawn" in suggestions())
    field.send_keys("\ue007")
    page.wait("the search is remembered", lambda: rpc("history.searches")["searches"] == ["daw"])
    page.click("Clear")
    page.shows("Searched before")
    page.click("daw")
    page.wait("two songs", lambda: titles(page) == ["Dawn", "Before Dawn"])
    before = queue()[0]
    page.click("Play Dawn, The Oscillators")
    page.shows("The queue goes on after this track.")
    page.wait("the queue keeps its songs", lambda: set(before) == set(queue()[0]) and queue()[0][queue()[1]] == "Dawn")
    page.click("Clear")
    field.send_keys("oscillators")
    page.wait("the artist, the album and the songs", lambda: len(titles(page)) == 6 and tiles(page) == [["Segue", "The Oscillators", "5 songs"]])
    page.one("main .tile").click()
    page.shows("The Oscillators", "main h1 ~ .detail")
    page.driver.back()
    page.wait("the results are still there", lambda: len(titles(page)) == 6)
    page.click("Clear")
    page.one("input[type=search]").send_keys("qqqq")
    page.shows("Nothing was found. Try fewer words, or search online.")


def online(url, token):
  """Somebody searches online, looks at the charts, films and people, and keeps what pleases."""
  rpc("catalog.setToken", ["tmdb", "secret"])
  with signed_in(url, token, "search/online") as page:
    field = page.one("input[type=search]")
    field.send_keys("те")
    page.shows("Enter at least three characters.")
    field.send_keys("ст")
    page.all("main .tabs a")[0].click()
    page.wait("the words are searched for in the library", lambda: page.one("input[type=search]").get_property("value") == "тест")
    page.click("Online")
    page.wait("a song", lambda: any("Тестовая песня" in tile for tile in tiles(page)))
    page.shows("provided courtesy of iTunes", ".attribution")
    columns = {element.rect["x"] for element in page.all("main .tile")}
    expect(len(columns) == 2, f"a phone has two columns: {columns}")
    page.all("main .tile")[0].click()
    page.shows("Тестовая песня", "main h1")
    page.click("Show the picture")
    page.wait("the whole picture", lambda: page.driver.execute_script("return document.querySelector('img.full')?.naturalWidth || 0") > 0)
    page.click("Close")
    page.click("Favorite")
    page.shows("Added to the favorites.")
    page.click("Play")
    page.wait("it plays", lambda: rpc("status")["track"]["uri"].startswith("itunes:song:"))
    page.wait("what was used is remembered", lambda: rpc("catalog.searches")["searches"] == ["тест"])

    page.go("popular/song")
    page.wait("the charts", lambda: len(tiles(page)) >= 20)
    to_end = "scrollTo(0, document.body.scrollHeight); return true"
    page.wait("all of them", lambda: page.driver.execute_script(to_end) and len(tiles(page)) == 45)
    page.driver.execute_script("scrollTo(0, 0)")
    page.wait("the genres", lambda: len(page.all("main select option")) > 5)
    page.choose("Genre", "Jazz")
    page.wait("the charts of a genre", lambda: "genre=" in page.driver.current_url and len(tiles(page)) >= 20)
    page.driver.execute_script(PULL)
    page.touch((200, 150), *((200, y) for y in range(160, 300, 20)))
    page.wait("they are read again", lambda: page.driver.execute_script("return window.refreshed.length") == 1)

    page.go("popular/film")
    page.wait("the films", lambda: tiles(page))
    page.one("main .tile").click()
    for text in ("Rating", "Budget", "Language"):
      page.shows(text, "main .facts")
    page.go("popular/people")
    page.wait("the people", lambda: tiles(page))
    page.one("main .tile").click()
    link = page.named("Home page")
    expect(link.get_attribute("rel") == "noopener noreferrer" and link.get_attribute("href").startswith("http"), "the link is safe")
    page.go("popular/station")
    page.wait("the stations", lambda: tiles(page))
    expect(page.one("nav.main a.more").get_attribute("aria-current") == "page", "Radio is behind “More”")
    page.choose("Country", "Germany")
    page.wait("the stations of a country", lambda: "country=DE" in page.driver.current_url and tiles(page))
    page.one("input[type=search]").send_keys("radio\ue007")
    page.wait("stations are found", lambda: "kind=station" in page.driver.current_url and tiles(page))
    page.go("favorites")
    page.shows("Тестовая песня", "main")


def favorites(url, token):
  """Somebody looks through the gallery of favorites in its orders, and removes one."""
  with signed_in(url, token) as page:
    albums = {album["title"]: album["uri"] for album in rpc("library.albums")["albums"]}
    tracks = {track["metadata"]["title"]: track["uri"] for track in rpc("library.tracks")["tracks"]}
    # The newest of each kind is also the first by title: favorites of the same second are in this order.
    for uri in (tracks["Clockwork"], albums["Группа крови"], tracks["City Lights"], albums["Debut"]):
      rpc("favorites.add", {"uris": [uri]})
    rpc("rating.set", {"uri": tracks["Clockwork"], "rating": 10})
    page.go("favorites")
    page.wait("four favorites", lambda: len(tiles(page)) == 4)
    rows = lambda: page.driver.execute_script(
      "return [...document.querySelectorAll('.gallery section:not([hidden])')].map(shelf => new Set([...shelf.querySelectorAll('.tile')].map(tile => tile.offsetTop)).size)")
    expect(rows() == [1, 1], f"the tiles of a kind are beside each other: {rows()}")
    page.shows("Albums 2", "main")
    names = lambda: [tile[0] for tile in tiles(page)]
    others = ["Debut", "Группа крови", "City Lights", "Clockwork"]
    for order in ("Title", "Release", "Added"):
      page.choose("Order", "Rating")
      page.wait("the best song is the first", lambda: names()[2:] == ["Clockwork", "City Lights"])
      page.choose("Order", order)
      page.wait(f"{order}: {others}", lambda: names() == others)
    page.all("main .tile")[names().index("Debut")].click()
    page.click("Favorite")
    page.shows("Removed from the favorites.")
    page.driver.back()
    page.wait("it is gone", lambda: len(tiles(page)) == 3 and "Debut" not in names())


def long_list(url, token):
  """Somebody drags the handle of a long list, which says where it is, and comes to the end."""
  uri = rpc("library.tracks")["tracks"][0]["uri"]
  names = [f"{letter}{number}" for letter in "ABCDEFGHIJ" for number in range(20)]
  for name in names:
    rpc("playlists.save", {"name": name, "uris": [uri]})
  with signed_in(url, token, "playlists") as page:
    page.wait("the first playlists", lambda: "A1" in titles(page))
    expect(not page.one("main").find_element("css selector", ".scroller").is_displayed(), "a list that rests has no handle")
    page.driver.execute_script("scrollBy(0, 400)")
    x, y = page.centre(page.one(".scroller"))
    page.finger("touchStart", x, y)
    page.shows("A", ".scroller .letter")
    page.finger("touchMove", x, 390)
    page.wait("the middle of the list", lambda: page.text(".scroller .letter") in ("D", "E", "F") and "/ 200" in page.text(".scroller"))
    page.finger("touchMove", x, 840)
    page.wait("the end of the list", lambda: "J9" in titles(page))
    page.finger("touchEnd")
    page.wait("the handle leaves", lambda: page.all(".scroller[hidden] .place[hidden]"))


def playlists(url, token):
  """Somebody makes a playlist from an album, plays it from the middle, renames it, and deletes it."""
  with signed_in(url, token, "library/albums") as page:
    page.wait("the albums", lambda: len(tiles(page)) == 4)
    page.all("main .tile")[1].click()
    page.click("More about Segue")
    page.click("Add to a playlist…")
    page.one("dialog input").send_keys("Evening")
    page.click("Create")
    page.shows("Added to Evening.")
    page.go("playlists")
    page.shows("5 tracks", "main")
    page.one("main .row a.main").click()
    page.wait("five songs", lambda: len(titles(page)) == 5)
    page.click("Play Колыбельная, The Oscillators")
    page.wait("the playlist plays from this song on", lambda: queue() == (["Before Dawn", "Dawn", "Clockwork", "Колыбельная", "City Lights"], 3))
    page.click("More about Dawn")
    page.click("Remove from the playlist")
    page.wait("the song is gone", lambda: titles(page) == ["Before Dawn", "Clockwork", "Колыбельная", "City Lights"])
    page.go("playlists")
    page.click("More about Evening")
    page.click("Rename…")
    field = page.one("dialog input")
    field.clear()
    field.send_keys("Night")
    page.click("Rename")
    page.shows("Night", "main")
    page.click("More about Night")
    page.click("Delete…")
    page.click("Delete")
    page.shows("No playlists yet. Save the queue as one.", "main")


def history(url, token):
  """Somebody sees what was played, and plays it again."""
  with signed_in(url, token, "history/time") as page:
    page.shows("Nothing was played yet.", "main")
    rpc("play", {"index": 0})
    page.wait("the song counts as played", lambda: titles(page) == ["Before Dawn"])
    page.go("history/plays")
    page.shows("1 play", "main")
    rpc("stop")
    page.click("Play Before Dawn, The Oscillators")
    page.wait("it plays again", lambda: rpc("status")["state"] == "playing")
