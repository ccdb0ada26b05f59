#!/usr/bin/python3
"""Draws the screens of `segue ui` as PNG files. contrib/screenshots/take runs it beside a daemon with the library of music.py.

Each screen is that of a real program in a pseudo-terminal with colours of 24 bits, whose output an emulator of a terminal reads.
Terminals of this kind display no pictures, so that covers consist of half blocks. Needs python3-pyte, python3-pil, and the fonts
DejaVu and WenQuanYi Micro Hei.
"""
import argparse
import fcntl
import json
import multiprocessing
import os
import pathlib
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

import pyte
from PIL import Image, ImageDraw, ImageFont

HERE = pathlib.Path(__file__).resolve().parent
SIZES = ["80x24", "110x30", "200x50", "40x10"]
THEMES = re.search(r"^\.It Ic Theme No = Cm (.*)$", (HERE.parent / "man/segue-ui.1").read_text(), re.MULTILINE)[1].split(" | ")
# What the daemon does while pictures are taken.
PAUSED, PLAYING, BOOK = "a track is paused", "a track is played", "a book is paused"


class Scene:
  """A screen: the keys that lead there, each after the one before has had its effect, and a text of the library that it shows.
  The last key is pressed when the text `after` is shown."""

  def __init__(self, *keys, after="", shows="", state=PAUSED, covers=False):
    self.keys, self.after, self.shows, self.state, self.covers = keys, after, shows, state, covers


DOWN, ENTER, ESCAPE, TAB, END = "\x1b[B", "\r", "\x1b", "\t", "\x1b[F"
SCENES = {
  "queue": Scene(shows="Low Tide"),
  "queue-selected": Scene("g", "   "),
  "queue-filter": Scene("/", "tide"),
  "message": Scene("w", "a/b", ENTER),
  "player": Scene("2", covers=True),
  "visualizer": Scene("V", state=PLAYING),
  "albums": Scene("3", covers=True),
  "albums-table": Scene("3", "t"),
  "albums-filter": Scene("3", "/", "ha", covers=True),
  "artists": Scene("3", "3"),
  # Two lists beside each other from 110 columns, and three from 150.
  "browser": Scene("3", "3", DOWN * 4, ENTER, "t", after="Fenwick"),
  "tracks": Scene("3", "3", "3"),
  "more-lists": Scene("3", "3", "3", "3"),
  "genres": Scene("3", "3", "3", "3", ENTER),
  "genre": Scene("3", "3", "3", "3", ENTER, ENTER),
  "album": Scene("3", "/", "low t", ENTER, ENTER, shows="Undertow"),
  "artist": Scene("3", "3", "/", "halde", ENTER, ENTER, covers=True),
  "folders": Scene("4"),
  "folder": Scene("4", DOWN, ENTER, ENTER, shows="Undertow"),
  "search": Scene("5"),
  "search-suggestions": Scene("5", "tide", shows="Low Tide"),
  "search-library": Scene("5", "tide", ENTER, covers=True),
  "search-songs": Scene("5", TAB, "light", ENTER, covers=True),
  "search-songs-table": Scene("5", TAB, "light", ENTER, "t", after="First Light", shows="First Light"),
  "popular": Scene("6", shows="First Light"),
  "popular-tiles": Scene("6", "t", after="First Light", covers=True),
  "popular-films": Scene("6", TAB, TAB, shows="Signal"),
  "film": Scene("6", TAB, TAB, "i", after="Signal", covers=True),
  "people": Scene("P", shows="Marguerite Sol"),
  "person": Scene("P", ENTER, after="Marguerite", covers=True),
  "radio": Scene("9", shows="Harbour Jazz"),
  "radio-tiles": Scene("9", "t", after="Harbour Jazz", covers=True),
  "favorites": Scene("7", covers=True),
  "favorites-albums": Scene("7", TAB, covers=True),
  "playlists": Scene("8"),
  "playlist": Scene("8", ENTER),
  "history": Scene("0"),
  "outputs": Scene("O"),
  "settings": Scene("S"),
  "keys": Scene("S", DOWN * 2, ENTER),
  "help": Scene("?"),
  "help-search": Scene("?", "skip"),
  "details": Scene("i", covers=True),
  "rating": Scene("v", "8"),
  "playlist-name": Scene("W"),
  "go-to-time": Scene(":", "1:30"),
  "sleep-timer": Scene("x"),
  "arrange": Scene("E"),
  "player-chapters": Scene("2", state=BOOK, covers=True),
  "chapters": Scene("2", "C", shows="Fog", state=BOOK),
}
# The pictures of the documents: name, screen, size and theme.
PUBLISHED = [
  ("queue", "queue", "110x30", "catppuccin"), ("albums", "albums", "110x30", "dark"), ("visualizer", "visualizer", "80x24", "tokyo-night"),
]

# MARK: The emulator


class Screen(pyte.Screen):
  """A screen that also repeats characters and scrolls, fills new cells with the background, and knows dim text, which takes the
  place of italics.
  """

  def repeat(self, count=1):
    self.draw(self.last * (count or 1))

  @property
  def region(self):
    return self.margins or pyte.screens.Margins(0, self.lines - 1)

  def scroll_up(self, count=1):
    self.scroll(self.region.top, self.delete_lines, count)

  def scroll_down(self, count=1):
    self.scroll(self.region.top, self.insert_lines, count)

  def scroll(self, row, change, count):
    x, y = self.cursor.x, self.cursor.y
    self.cursor.y = row
    change(count or 1)
    self.cursor.x, self.cursor.y = x, y

  def index(self):
    if self.cursor.y == self.region.bottom:
      self.scroll_up()
    else:
      super().index()

  def reverse_index(self):
    if self.cursor.y == self.region.top:
      self.scroll_down()
    else:
      super().reverse_index()

  def insert_lines(self, count=None):
    super().insert_lines(count)
    self.fill(self.cursor.y, min(self.region.bottom, self.cursor.y + (count or 1) - 1))

  def delete_lines(self, count=None):
    super().delete_lines(count)
    self.fill(max(self.cursor.y, self.region.bottom - (count or 1) + 1), self.region.bottom)

  def fill(self, first, last):
    for row in range(first, last + 1):
      for column in range(self.columns):
        self.buffer[row][column] = self.cursor.attrs

  def insert_characters(self, count=None):
    super().insert_characters(count)
    self.erase_characters(count)

  def delete_characters(self, count=None):
    super().delete_characters(count)
    for column in range(max(self.cursor.x, self.columns - (count or 1)), self.columns):
      self.buffer[self.cursor.y][column] = self.cursor.attrs

  def draw(self, data):
    super().draw(data)
    self.last = data[-1:]

  def select_graphic_rendition(self, *attributes):
    if 22 in attributes:
      self.cursor.attrs = self.cursor.attrs._replace(italics=False)
    super().select_graphic_rendition(*attributes)

  def report_device_attributes(self, *_, **__):
    """Leaves the answers to `Terminal`, as the next function does."""

  def report_device_status(self, *_, **__):
    pass


pyte.graphics.TEXT[2] = "+italics"


class Stream(pyte.ByteStream):
  csi = pyte.ByteStream.csi | {"b": "repeat", "S": "scroll_up", "T": "scroll_down"}
  events = pyte.ByteStream.events | {"repeat", "scroll_up", "scroll_down"}


# What pyte does not know: device control strings and application program commands.
STRINGS = re.compile(rb"\x1b[P_].*?\x1b\\", re.DOTALL)


class Terminal:
  """A program in a pseudo-terminal."""

  # The first is the background, which the program may ask for.
  DEFAULTS = ("#1b1d23", "#d5d8df")

  def __init__(self, rows, columns, command, environment):
    self.screen = Screen(columns, rows)
    self.stream = Stream(self.screen)
    self.pid, self.master = pty.fork()
    if self.pid == 0:
      os.execvpe(command[0], command, environment)
    fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, columns * CELL[0], rows * CELL[1]))
    os.kill(self.pid, signal.SIGWINCH)

  def end(self):
    """Ends the program, which then writes to the terminal once more."""
    os.kill(self.pid, signal.SIGTERM)
    try:
      while select.select([self.master], [], [], 1)[0] and os.read(self.master, 1 << 16):
        pass
    except OSError:
      pass
    os.close(self.master)
    os.waitpid(self.pid, 0)

  def read(self, timeout):
    """Reads what the program has written, and answers its requests. Returns false if it writes nothing for some seconds."""
    if not select.select([self.master], [], [], timeout)[0]:
      return False
    try:
      data = os.read(self.master, 1 << 16)
    except OSError:
      return False
    background = "/".join(self.DEFAULTS[0][1 + 2 * index:3 + 2 * index] * 2 for index in range(3))
    for request, answer in [(b"\x1b]11;?", f"\x1b]11;rgb:{background}\x1b\\"), (b"\x1b[c", "\x1b[?62;22c"),
                            (b"\x1b[16t", f"\x1b[6;{CELL[1]};{CELL[0]}t")]:
      if request in data:
        os.write(self.master, answer.encode())
    self.stream.feed(STRINGS.sub(b"", data))
    return True

  def wait(self, seconds, until=None):
    """Reads until nothing arrives for some seconds, and a condition is met. Returns false if that does not happen in time."""
    end = time.monotonic() + 6
    while time.monotonic() < end:
      if not self.read(seconds) and (until is None or until()):
        return True
    return False

  def watch(self, seconds, until=lambda: False):
    """Reads for some seconds, or until a condition is met. Returns whether it was."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
      self.read(0.05)
      if until():
        return True
    return False

  def send(self, keys):
    os.write(self.master, keys.encode())

  def shows(self, text):
    return any(text in line for line in self.screen.display)

  def has_covers(self):
    return any("▀" in line for line in self.screen.display)


# MARK: Pictures

CELL = (10, 20)
BASELINE = 15
FOLDER = "/usr/share/fonts/truetype/"
FONTS = {
  False: ["dejavu/DejaVuSansMono.ttf", "dejavu/DejaVuSans.ttf", "wqy/wqy-microhei.ttc"],
  True: ["dejavu/DejaVuSansMono-Bold.ttf", "dejavu/DejaVuSans-Bold.ttf", "wqy/wqy-microhei.ttc"],
}
NAMED = dict(zip(["black", "red", "green", "brown", "blue", "magenta", "cyan", "white"],
                 ["#2e3440", "#bf616a", "#a3be8c", "#ebcb8b", "#81a1c1", "#b48ead", "#88c0d0", "#e5e9f0"]))
NAMED |= {f"bright{name}": color for name, color in NAMED.items()}
# The ends of box drawing characters: those that are light and those that are heavy, of left, right, up and down.
LINES = {"─": ("lr", ""), "│": ("ud", ""), "━": ("", "lr"), "┃": ("", "ud"), "╸": ("", "l"), "╺": ("", "r"), "╹": ("", "u"), "╻": ("", "d"),
         "╋": ("", "lrud"), "╉": ("r", "lud"), "╂": ("lr", "ud"), "┻": ("", "lru"), "┸": ("lr", "u"), "┳": ("", "lrd"), "┰": ("lr", "d")}
LINES |= {character: (ends, "") for character, ends in zip("┌┐└┘├┤┬┴┼╭╮╰╯", ["rd", "ld", "ru", "lu", "rud", "lud", "lrd", "lru", "lrud"] + ["rd", "ld", "ru", "lu"])}

# The symbols that these fonts lack, as polygons in pixels.
SHAPES = {
  "⏸": [[(1, 5), (3, 5), (3, 14), (1, 14)], [(6, 5), (8, 5), (8, 14), (6, 14)]],
  "⏮": [[(1, 5), (2, 5), (2, 14), (1, 14)], [(8, 5), (8, 14), (3, 9.5)]],
  "⏭": [[(7, 5), (8, 5), (8, 14), (7, 14)], [(1, 5), (1, 14), (6, 9.5)]],
}


def block(character):
  """Returns the parts of a cell that a block element covers, as fractions; None for other characters."""
  number = ord(character) - 0x2580
  if number == 0:
    return [(0, 0, 1, 0.5)]
  if 1 <= number <= 8:
    return [(0, 1 - number / 8, 1, 1)]
  if 9 <= number <= 15:
    return [(0, 0, (16 - number) / 8, 1)]
  if number == 16:
    return [(0.5, 0, 1, 1)]
  if number == 20:
    return [(0, 0, 1, 0.125)]
  if number == 21:
    return [(0.875, 0, 1, 1)]
  if 22 <= number <= 31:
    quadrants = [(0, 0.5), (0.5, 0.5), (0, 0), (0.5, 0)]
    masks = [1, 2, 4, 13, 9, 7, 11, 8, 6, 14]
    return [(x, y, x + 0.5, y + 0.5) for bit, (x, y) in zip((1, 2, 4, 8), quadrants) if masks[number - 22] & bit]
  return None


class Painter:
  """Draws screens, and remembers the cells that it has drawn."""

  def __init__(self):
    self.fonts = {bold: [ImageFont.truetype(FOLDER + name, 16) for name in names] for bold, names in FONTS.items()}
    self.missing = {font: bytes(font.getmask("\ue123")) for fonts in self.fonts.values() for font in fonts}
    self.cells = {}

  def font(self, text, bold):
    """Returns the first font that has a character, or the first one."""
    fonts = self.fonts[bold]
    return next((font for font in fonts if bytes(font.getmask(text[0])) != self.missing[font]), fonts[0])

  def cell(self, text, columns, foreground, background, bold, underlined):
    key = (text, columns, foreground, background, bold, underlined)
    if key not in self.cells:
      self.cells[key] = self.draw_cell(*key)
    return self.cells[key]

  def draw_cell(self, text, columns, foreground, background, bold, underlined):
    width, height = CELL[0] * columns, CELL[1]
    picture = Image.new("RGB", (width, height), background)
    draw = ImageDraw.Draw(picture)
    if text in LINES:
      x, y = width // 2, height // 2
      for ends, half in zip(LINES[text], (0, 1)):
        spans = {"l": (0, y - half, x + half, y + half), "r": (x - half, y - half, width, y + half),
                 "u": (x - half, 0, x + half, y + half), "d": (x - half, y - half, x + half, height)}
        for end in ends:
          draw.rectangle(spans[end], fill=foreground)
    elif text in SHAPES:
      for polygon in SHAPES[text]:
        draw.polygon(polygon, fill=foreground)
    elif text.strip():
      font = self.font(text, bold)
      box = font.getbbox(text, anchor="ls")
      if box[2] > width + 2:
        # A symbol of a proportional font.
        font = font.font_variant(size=16 * width // box[2])
        box = font.getbbox(text, anchor="ls")
      x = 0 if font is self.fonts[bold][0] else (width - box[2] - box[0]) / 2
      draw.text((x, BASELINE), text, foreground, font, anchor="ls")
    if underlined:
      draw.line((0, BASELINE + 3, width, BASELINE + 3), foreground)
    return picture

  def draw(self, screen):
    picture = Image.new("RGB", (screen.columns * CELL[0], screen.lines * CELL[1]), Terminal.DEFAULTS[0])
    draw = ImageDraw.Draw(picture)
    for row in range(screen.lines):
      line = screen.buffer[row]
      for column in range(screen.columns):
        cell = line[column]
        if not cell.data:
          continue
        foreground, background = color(cell.fg, Terminal.DEFAULTS[1]), color(cell.bg, Terminal.DEFAULTS[0])
        if cell.italics:
          foreground = mixed(foreground, background)
        if cell.reverse:
          foreground, background = background, foreground
        x, y = column * CELL[0], row * CELL[1]
        parts = block(cell.data[0])
        if parts:
          draw.rectangle((x, y, x + CELL[0] - 1, y + CELL[1] - 1), fill=background)
          for left, top, right, bottom in parts:
            draw.rectangle((x + round(left * CELL[0]), y + round(top * CELL[1]), x + round(right * CELL[0]) - 1,
                            y + round(bottom * CELL[1]) - 1), fill=foreground)
          continue
        is_wide = column + 1 < screen.columns and not line[column + 1].data
        picture.paste(self.cell(cell.data, 2 if is_wide else 1, foreground, background, cell.bold, cell.underscore), (x, y))
    return picture


def color(name, default):
  return default if name == "default" else NAMED.get(name) or f"#{name}"


def mixed(one, other):
  """Returns the colour of dim text."""
  pairs = [(int(one[index:index + 2], 16), int(other[index:index + 2], 16)) for index in (1, 3, 5)]
  return "#" + "".join(f"{(a * 6 + b * 4) // 10:02x}" for a, b in pairs)


# MARK: Taking pictures


class Camera:
  """Takes the pictures of a theme in a size."""

  painter = None

  def __init__(self, theme, size, language):
    self.theme, self.language = theme, language
    self.columns, self.rows = map(int, size.split("x"))
    Camera.painter = Camera.painter or Painter()

  def take(self, name, patience=0.3):
    """Returns the picture of a screen, and what is wrong with it. It is complete if no cover arrives for some seconds."""
    scene = SCENES[name]
    with tempfile.TemporaryDirectory() as folder:
      path = pathlib.Path(folder) / "segue/ui.conf"
      path.parent.mkdir()
      path.write_text(f"[Interface]\nTheme={self.theme}\nLanguage={self.language}\n")
      environment = os.environ | {"XDG_CONFIG_HOME": folder, "TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8"}
      for variable in ("TMUX", "SSH_CONNECTION", "SSH_TTY", "NO_COLOR"):
        environment.pop(variable, None)
      terminal = Terminal(self.rows, self.columns, ["segue-ui"], environment)
      try:
        is_complete = terminal.wait(0.05, lambda: terminal.shows("?"))
        for keys in scene.keys:
          if keys is scene.keys[-1]:
            is_complete = terminal.wait(0.06, lambda: terminal.shows(scene.after)) and is_complete
          terminal.send(keys)
          is_complete = terminal.wait(0.06) and is_complete
        if scene.state == PLAYING:
          # The samples arrive as late as the sound server plays them.
          is_complete = terminal.watch(6, lambda: terminal.shows("dB") or terminal.shows("дБ")) and is_complete
          terminal.watch(1.5)
        elif scene.shows and self.rows > 12:
          is_complete = terminal.wait(0.06, lambda: terminal.shows(scene.shows)) and is_complete
        if scene.covers and self.rows > 12:
          is_complete = terminal.wait(patience, terminal.has_covers) and is_complete
        return self.painter.draw(terminal.screen), "" if is_complete else "not everything was shown in time"
      finally:
        terminal.end()


def take(arguments):
  """Writes the pictures of some screens in a theme and a size. Returns their number and what was wrong."""
  theme, size, language, names, folder = arguments
  camera, faults = Camera(theme, size, language), []
  for name in names:
    picture, fault = camera.take(name)
    path = folder / theme / f"{name}-{size}.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    picture.save(path, compress_level=3)
    if fault:
      faults.append(f"{path}: {fault}")
  return len(names), faults


def download(name):
  """Shows a screen once, so that the daemon has the pictures of the catalogues."""
  Camera("dark", "200x50", "en").take(name, patience=1.5)


def rpc(method, parameters=None):
  """Sends a request to the daemon, and returns the result."""
  text = subprocess.run(["segue", "rpc", method, json.dumps(parameters or {})], check=True, stdout=subprocess.PIPE, text=True).stdout
  return json.loads(text)


def prepare():
  """Fills the lists of the daemon."""
  albums = {album["title"]: album["uri"] for album in rpc("library.albums")["albums"]}
  play_demo(albums["Segue"])
  chosen = ["Copper Hours", "Low Tide", "Violet Engine", "Паруса", "夜の図書館", "Ridgeline"]
  rpc("queue.replace", {"uris": [albums[title] for title in chosen], "play": ""})
  rpc("pause")
  tracks = rpc("queue.list")["tracks"]
  rpc("favorites.add", {"uris": [albums[title] for title in ["Low Tide", "Паруса", "Meridian", "Feldspar"]] + [tracks[index]["uri"] for index in (2, 6, 9, 15)]})
  for index, rating in [(1, 8), (6, 10), (7, 6), (12, 9)]:
    rpc("rating.set", {"uri": tracks[index]["uri"], "rating": rating})
  for name, titles in [("Sunday morning", ["Glass Orchard", "Cartographer"]), ("Train", ["Northern Rails", "Meridian"]), ("Вечер", ["Ночной экспресс"])]:
    rpc("playlists.save", {"name": name, "uris": [albums[title] for title in titles], "replace": True})
  rpc("catalog.setToken", ["tmdb", "secret"])
  return albums


def play_demo(album):
  """Plays more than half of each track of the demo album, so that the history lists them."""
  rpc("queue.replace", {"uris": [album], "play": ""})
  rpc("speed", {"factor": 3})
  for track in rpc("queue.list")["tracks"]:
    rpc("play", {"index": track["index"]})
    time.sleep(track["duration"] / 5 + 0.5)
  rpc("speed", {"factor": 1})


def enter(state, albums):
  """Makes the daemon do what a state says."""
  if state == BOOK:
    rpc("queue.replace", {"uris": [albums["The Keeper of Skerry Light"]], "play": ""})
    rpc("pause")
    rpc("seek", {"position": 1300})
    return
  tracks = rpc("queue.list")["tracks"]
  rpc("play", {"index": next(track["index"] for track in tracks if track["metadata"]["title"] == "First Light")})
  rpc("seek", {"position": 77})
  if state != PLAYING:
    rpc("pause")


def choice(all_names):
  """Returns a parser of a list of names."""
  def parse(text):
    names = text.split(",")
    for name in names:
      if name not in all_names:
        raise argparse.ArgumentTypeError(f"there is no {name}; there are {', '.join(all_names)}")
    return names
  return parse


def main():
  parser = argparse.ArgumentParser()
  parser.add_argument("--screens", type=choice(list(SCENES)), default=list(SCENES))
  parser.add_argument("--sizes", type=lambda text: text.split(","), default=SIZES)
  parser.add_argument("--themes", type=choice(THEMES), default=THEMES)
  parser.add_argument("--language", default="en")
  parser.add_argument("folder", type=pathlib.Path, nargs="?")
  options = parser.parse_args()
  albums = prepare()
  with multiprocessing.Pool(2 * os.cpu_count()) as pool:
    pool.map(download, [name for name in options.screens if SCENES[name].covers and SCENES[name].keys[0] in "56P9"])
  count, faults = 0, []
  for state in (PAUSED, PLAYING, BOOK):
    enter(state, albums)
    if options.folder is None:
      for name, screen, size, theme in PUBLISHED:
        if SCENES[screen].state == state:
          picture, fault = Camera(theme, size, "en").take(screen)
          if fault:
            sys.exit(f"{name}: {fault}")
          picture.quantize(255, dither=Image.Dither.NONE).save(HERE / f"{name}.png", optimize=True)
          print(f"contrib/screenshots/{name}.png", file=sys.stderr)
      continue
    names = [name for name in options.screens if SCENES[name].state == state]
    jobs = [(theme, size, options.language, names, options.folder) for theme in options.themes for size in options.sizes]
    # Each process waits most of the time.
    with multiprocessing.Pool(2 * os.cpu_count()) as pool:
      for taken, wrong in pool.imap_unordered(take, jobs if names else []):
        count += taken
        faults += wrong
        print(f"\r    {count} pictures", end="", file=sys.stderr, flush=True)
  print("", *faults, sep="\n", file=sys.stderr)
  sys.exit(1 if faults else 0)


if __name__ == "__main__":
  main()
