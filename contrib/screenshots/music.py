#!/usr/bin/python3
"""Makes the music library of the screenshots: albums that do not exist, with covers, tags and lyrics.

Usage: music.py FOLDER

All tracks but those of the demo album are silent, except the first one of "Low Tide", which the pictures play. A test sound would
make the library large. Needs ffmpeg, python3-pil and the font DejaVu.
"""
import math
import pathlib
import random
import shutil
import struct
import subprocess
import sys

from PIL import Image, ImageDraw, ImageFont, ImageOps

DEMO = pathlib.Path(__file__).resolve().parent.parent / "demo"
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"
# Covers are drawn in this size, and stored in half of it.
SIZE = 1000


class Album:
  """An album: what its tags and its cover are made of. Titles with a slash state the artist of the track, too."""

  def __init__(self, title, artist, year, genre, design, colors, titles, **tags):
    self.title, self.artist, self.year, self.genre = title, artist, year, genre
    self.design, self.colors, self.titles, self.tags = design, colors.split(), titles, tags


# MARK: Covers


def gradient(colors, angle=0):
  """Returns a picture that goes over from the first to the last of some colours, from top to bottom or turned by an angle."""
  size = int(SIZE * 1.5)
  whole = Image.new("RGB", (size, size))
  parts = len(colors) - 1
  for index in range(parts):
    top, bottom = size * index // parts, size * (index + 1) // parts
    part = ImageOps.colorize(Image.linear_gradient("L"), colors[index], colors[index + 1])
    whole.paste(part.resize((size, bottom - top)), (0, top))
  edge = (size - SIZE) // 2
  return whole.rotate(angle, Image.BICUBIC).crop((edge, edge, edge + SIZE, edge + SIZE))


def disc(draw, x, y, radius, color):
  draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=color)


def sea(colors, rng):
  """A sun above water."""
  picture = gradient(colors[:2])
  draw = ImageDraw.Draw(picture)
  horizon = rng.randint(560, 680)
  sun = rng.randint(300, 700)
  disc(draw, sun, horizon - 60, rng.randint(130, 210), colors[2])
  draw.rectangle((0, horizon, SIZE, SIZE), fill=colors[3])
  for step in range(9):
    y, half = horizon + 20 + step * 38, 190 - step * 14
    draw.rounded_rectangle((sun - half, y, sun + half, y + 14), 7, fill=colors[2])
  return picture


def rings(colors, rng):
  """Circles around one point."""
  picture = gradient(colors[:2], 30)
  draw = ImageDraw.Draw(picture)
  x, y = rng.randint(350, 650), rng.randint(350, 650)
  for index, radius in enumerate(range(660, 40, -62)):
    disc(draw, x, y, radius, colors[index % len(colors)])
  return picture


def stripes(colors, rng):
  """Diagonal stripes of varied widths."""
  picture = Image.new("RGB", (SIZE, SIZE), colors[0])
  draw = ImageDraw.Draw(picture)
  x, index, slope = -SIZE, 0, rng.randint(300, 700)
  while x < SIZE:
    width = rng.randint(40, 170)
    draw.polygon([(x, SIZE), (x + slope, 0), (x + slope + width, 0), (x + width, SIZE)], fill=colors[index % len(colors)])
    x, index = x + width, index + 1
  return picture


def mountains(colors, rng):
  """Ridges, of which the nearer ones are darker."""
  picture = gradient(colors[:2])
  draw = ImageDraw.Draw(picture)
  disc(draw, rng.randint(200, 800), rng.randint(180, 330), 90, colors[2])
  for layer, color in enumerate(colors[3:]):
    base, points = 450 + layer * 150, []
    for step in range(9):
      points.append((step * 140 - 60, base + rng.randint(-110, 110)))
    draw.polygon([(-60, SIZE), *points, (1100, SIZE)], fill=color)
  return picture


def dots(colors, rng):
  """A grid of discs that become smaller."""
  picture = Image.new("RGB", (SIZE, SIZE), colors[0])
  draw = ImageDraw.Draw(picture)
  for row in range(7):
    for column in range(7):
      disc(draw, 90 + column * 137, 90 + row * 137, 14 + 50 * (row + 6 - column) / 12, colors[1 + (row + column) % (len(colors) - 1)])
  return picture


def orb(colors, rng):
  """A glowing ball."""
  picture = gradient(colors[:2], 20)
  glow = ImageOps.colorize(Image.radial_gradient("L"), colors[3], colors[2]).resize((760, 760))
  mask = Image.new("L", (760, 760))
  ImageDraw.Draw(mask).ellipse((60, 60, 700, 700), fill=255)
  picture.paste(glow, (rng.randint(60, 180), rng.randint(60, 180)), mask)
  return picture


def triangles(colors, rng):
  """A mosaic."""
  picture = Image.new("RGB", (SIZE, SIZE), colors[0])
  draw = ImageDraw.Draw(picture)
  for row in range(5):
    for column in range(5):
      x, y, corners = column * 200, row * 200, [(0, 0), (200, 0), (200, 200), (0, 200)]
      first = rng.randint(0, 3)
      for start in (first, first + 2):
        points = [corners[(start + step) % 4] for step in range(3)]
        draw.polygon([(x + a, y + b) for a, b in points], fill=rng.choice(colors))
  return picture


def waves(colors, rng):
  """Lines like those of a swell."""
  picture = gradient(colors[:2])
  draw = ImageDraw.Draw(picture)
  for line in range(12):
    phase, height, y = rng.random() * 6, 30 + 5 * line, 120 + line * 70
    points = [(x, y + height * math.sin(x / 150 + phase + line / 3)) for x in range(-20, SIZE + 40, 20)]
    draw.line(points, fill=colors[2 + line % (len(colors) - 2)], width=12 + 3 * line, joint="curve")
  return picture


def blocks(colors, rng):
  """Rectangles with thick lines between them."""
  picture = Image.new("RGB", (SIZE, SIZE), colors[0])
  draw = ImageDraw.Draw(picture)

  def divide(left, top, right, bottom, depth):
    if depth == 0 or right - left < 240 or bottom - top < 240:
      draw.rectangle((left + 9, top + 9, right - 9, bottom - 9), fill=rng.choice(colors[1:]))
    elif (right - left) > (bottom - top):
      middle = left + int((right - left) * rng.uniform(0.3, 0.7))
      divide(left, top, middle, bottom, depth - 1)
      divide(middle, top, right, bottom, depth - 1)
    else:
      middle = top + int((bottom - top) * rng.uniform(0.3, 0.7))
      divide(left, top, right, middle, depth - 1)
      divide(left, middle, right, bottom, depth - 1)

  divide(-9, -9, SIZE + 9, SIZE + 9, 4)
  return picture


def night(colors, rng):
  """Stars, a moon and a hill."""
  picture = gradient(colors[:2])
  draw = ImageDraw.Draw(picture)
  for _ in range(90):
    disc(draw, rng.randint(0, SIZE), rng.randint(0, 720), rng.randint(2, 6), colors[2])
  x, y = rng.randint(550, 750), rng.randint(200, 320)
  disc(draw, x, y, 130, colors[2])
  disc(draw, x - 55, y - 25, 118, picture.getpixel((100, y)))
  draw.ellipse((-300, 720, 900, 1500), fill=colors[3])
  return picture


def city(colors, rng):
  """Houses with lit windows."""
  picture = gradient(colors[:2])
  draw = ImageDraw.Draw(picture)
  x = 0
  while x < SIZE:
    width, top = rng.randint(90, 190), rng.randint(250, 680)
    draw.rectangle((x, top, x + width, SIZE), fill=colors[2])
    for row in range(top + 40, SIZE, 70):
      for column in range(x + 20, x + width - 25, 45):
        if rng.random() < 0.45:
          draw.rectangle((column, row, column + 20, row + 32), fill=colors[3])
    x += width + rng.randint(0, 20)
  return picture


def letter(colors, rng):
  """Letters on a plain ground."""
  picture = gradient(colors[:2], 45)
  draw = ImageDraw.Draw(picture)
  draw.text((SIZE / 2, SIZE / 2), colors[3], colors[2], ImageFont.truetype(FONT, 620), anchor="mm")
  return picture


ALBUMS = [
  Album("Low Tide", "Aiko Tanabe", 2024, "Ambient", sea, "#9fc7d9 #f6d8b8 #f4a261 #2a6f8f",
        ["First Light", "Harbour", "The Long Way Round", "Undertow", "Salt Roads", "Breakwater", "A Lamp on the Pier", "Ebb"]),
  Album("Copper Hours", "The Lamplighters", 2015, "Jazz", rings, "#2a0f0a #8c3b1a #f4b860 #5c1f10",
        ["Four in the Morning", "Copper Hours", "Blue Awning", "Last Tram", "Someone's Umbrella", "Coat Check"]),
  Album("Northern Rails", "Halde", 2019, "Electronic", stripes, "#10202b #1f6f78 #e4572e #10202b #f2e8cf",
        ["Departure", "Signal Box", "Sleepers", "Points Failure", "Tundra Express", "Terminus"]),
  Album("Salt and Static", "Mira Voss", 2023, "Pop", orb, "#f7d6e0 #b5179e #3a0ca3 #ffd6a5",
        ["Salt and Static", "Paper Moons", "Say It Slower", "Neon Rain", "Half a Heart", "Kite String", "Goodnight, Radio"]),
  Album("Violet Engine", "Night Ferry", 2018, "Electronic", night, "#2b1055 #7597de #f8f4e3 #190933",
        ["Ignition", "Violet Engine", "Slow Orbit", "The Cartographer's Daughter", "Afterglow"]),
  Album("Паруса", "Белая ночь", 2021, "Rock", triangles, "#1d3557 #457b9d #a8dadc #f1faee #e63946",
        ["Паруса", "Северный ветер", "Письмо с маяка", "Дом у реки", "Колыбельная для города", "До весны"]),
  Album("Cartographer", "Fenwick & Rowe", 2012, "Folk", waves, "#e8dcc0 #d9c79c #7f5539 #9c6644 #606c38",
        ["Cartographer", "Mill Race", "The Drover's Return", "Hawthorn", "Two Rivers", "Stone by Stone", "Old Maps"]),
  Album("Glass Orchard", "Ines Calloway", 2020, "Indie", dots, "#fefae0 #bc6c25 #606c38 #dda15e",
        ["Seeds", "Glass Orchard", "Windfall", "Ladder", "Cider", "November Fruit"]),
  Album("夜の図書館", "水谷ハル", 2022, "Ambient", rings, "#0b132b #3a506b #5bc0be",
        ["夜の図書館", "雨の階段", "古い地図", "ガラスの猫", "朝まで"]),
  Album("Concrete Weather", "Tall Buildings", 2017, "Post-rock", city, "#f77f00 #003049 #14213d #fcbf49",
        ["Forecast", "Concrete Weather", "Lift Shaft", "Rooftop, 6 a.m.", "Scaffolding", "Demolition Waltz"]),
  Album("Ridgeline", "Oskar Lind", 2016, "Folk", mountains, "#fdf0d5 #f4a6a0 #ffd166 #8ecae6 #457b9d #1d3557 #0b1d33",
        ["Ridgeline", "Cairn", "Snow on the Fells", "Bothy", "The Descent"]),
  Album("Primary School", "The Chalk", 2009, "Punk", blocks, "#111111 #f1faee #e63946 #ffd60a #0077b6 #f1faee",
        ["Register", "Wet Play", "Detention", "Lost Property", "Home Time"]),
  Album("Hours of Amber", "Sable & Finch", 2014, "Soul", orb, "#3d1f0d #7f4f24 #ffba08 #9d0208",
        ["Amber", "Slow Sunday", "Keep the Light On", "Velvet Rope", "Honest Work"]),
  Album("Sonatas for an Empty Hall", "Ludmila Horák", 2011, "Classical", waves, "#22223b #4a4e69 #9a8c98 #c9ada7 #f2e9e4",
        ["Sonata No. 1 in E minor: I. Allegro ma non troppo", "Sonata No. 1 in E minor: II. Andante",
         "Sonata No. 1 in E minor: III. Presto", "Sonata No. 2 in A-flat major: I. Largo – Allegro",
         "Sonata No. 2 in A-flat major: II. Scherzo", "Sonata No. 2 in A-flat major: III. Finale"],
        COMPOSER="Tomáš Veselý", WORK="Piano Sonatas", CONDUCTOR=""),
  Album("Requiem for a Lighthouse", "Harbour Choir", 2006, "Classical", sea, "#14213d #415a77 #e0e1dd #0d1b2a",
        ["Introitus", "Kyrie", "Lux aeterna", "In paradisum"], COMPOSER="Ada Thorne", CONDUCTOR="J. R. Whitlock"),
  Album("Tangerine Alphabet", "Papaya Club", 2013, "Funk", letter, "#ff9f1c #ff5400 #fff3b0 A",
        ["A Is for Afternoon", "Brass Tacks", "Conga Line", "Disco Ball Repair", "Elbow Room"]),
  Album("Feldspar", "Halde", 2021, "Electronic", triangles, "#264653 #2a9d8f #e9c46a #f4a261 #e76f51",
        ["Feldspar", "Mica", "Quartz", "Basalt", "Obsidian"]),
  Album("Small Hours", "The Lamplighters", 2018, "Jazz", city, "#0f0c29 #302b63 #0a0a1a #f9c74f",
        ["Small Hours", "Room 12", "Piano Lid", "Window Seat"]),
  Album("Meridian", "Kestrel Sound", 1997, "Trip hop", rings, "#03071e #370617 #9d0208 #dc2f02 #f48c06",
        ["Meridian", "Low Ceiling", "Dust", "Sub Rosa", "Fathom"]),
  Album("Honey Static", "Mira Voss", 2020, "Pop", stripes, "#ffafcc #ffc8dd #bde0fe #a2d2ff #cdb4db",
        ["Honey Static", "Polaroid", "Sugar Glass", "Call Me When It Rains"]),
  Album("Winterreise in Blue", "Aiko Tanabe & Oskar Lind", 2019, "Ambient", mountains,
        "#caf0f8 #90e0ef #ffffff #48cae4 #0096c7 #0077b6 #03045e", ["Frost", "Signpost", "The Post", "Stillness"]),
  Album("Live at the Corn Exchange", "Fenwick & Rowe", 2015, "Folk", blocks, "#582f0e #7f4f24 #936639 #a68a64 #b6ad90 #c2c5aa",
        ["Cartographer (Live)", "The Drover's Return (Live)", "Two Rivers (Live)", "Encore: Old Maps (Live)"]),
  Album("Ночной экспресс", "Белая ночь", 2018, "Rock", night, "#10002b #5a189a #e0aaff #240046",
        ["Ночной экспресс", "Полустанок", "Чай в подстаканнике", "Рассвет над степью"]),
  Album("Motorik Garden", "Neue Linie", 1974, "Krautrock", dots, "#1b4332 #95d5b2 #d8f3dc #52b788",
        ["Gewächshaus", "Autobahnkreuz", "Morgentau"]),
]

# The lyrics of the track that the pictures play, with their times in seconds.
LYRICS = [
  (4, "The boats are sleeping in the bay"), (11, "a gull has carried night away"), (18, ""),
  (20, "First light, and all the windows glow"), (27, "first light on every face I know"), (34, ""),
  (37, "The kettle sings, the radio hums"), (44, "I count the waves until you come"),
  (51, "and write your name where sand is wet"), (58, "the sea has not erased it yet"), (65, ""),
  (68, "First light, and all the windows glow"), (75, "first light on every face I know"),
  (83, "and if the tide should take the shore"), (90, "I'd learn the names of stones once more"), (98, ""),
  (101, "So low the tide, so wide the sand"), (109, "that I could walk to where you stand"),
  (117, "with nothing left to hold or hide"), (125, "but morning, coming with the tide"), (134, ""),
  (138, "First light"), (146, "first light"), (154, "First light on every face I know"),
]


def write_cover(album, path):
  picture = album.design(album.colors, random.Random(album.title))
  picture.resize((SIZE // 2, SIZE // 2), Image.LANCZOS).save(path)


# MARK: Sound


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
  comments = [f"{name}={value}".encode() for name, value in tags.items() if value]
  text = struct.pack("<I", 0) + struct.pack("<I", len(comments)) + b"".join(struct.pack("<I", len(one)) + one for one in comments)
  blocks.append((4, text))
  head = b"".join(
    bytes([kind | (0x80 if index == len(blocks) - 1 else 0)]) + len(block).to_bytes(3, "big") + block
    for index, (kind, block) in enumerate(blocks))
  return b"fLaC" + head + flac[place:]


def ffmpeg(*arguments):
  subprocess.run(["ffmpeg", "-y", "-v", "error", *map(str, arguments)], check=True)


def silence(folder):
  """Returns silent FLAC files of several lengths."""
  files = []
  for seconds in (142, 173, 187, 201, 214, 228, 239, 252, 266, 281, 305, 338, 402, 547):
    path = folder / f"{seconds}.flac"
    ffmpeg("-f", "lavfi", "-i", "anullsrc=r=44100:cl=mono", "-t", seconds, path)
    files.append(path.read_bytes())
  return files


def write_audiobook(work, path):
  """Writes a book with chapters."""
  titles = ["The Keeper", "Fog", "A Ship Without a Name", "The Lamp Goes Out", "Letters", "The Long Night", "Spring Tide"]
  start, text = 0, ";FFMETADATA1\ntitle=The Keeper of Skerry Light\nartist=Ada Thorne\nalbum=The Keeper of Skerry Light\ngenre=Audiobook\ndate=2010\n"
  for index, title in enumerate(titles):
    end = start + 480 + 90 * (index * 5 % 7)
    text += f"[CHAPTER]\nTIMEBASE=1/1\nSTART={start}\nEND={end}\ntitle={title}\n"
    start = end
  (work / "chapters").write_text(text)
  ffmpeg("-f", "lavfi", "-i", "anullsrc=r=22050:cl=mono", "-i", work / "chapters", "-map_metadata", 1, "-t", start,
         "-c:a", "aac", "-b:a", "16k", path)


def write_library(folder):
  work = folder / ".work"
  work.mkdir(parents=True)
  sounds = silence(work)
  ffmpeg("-stream_loop", 24, "-i", DEMO / "02 Dawn.flac", "-map", "0:a", "-t", 214, work / "music.flac")
  for album in ALBUMS:
    rng = random.Random(album.title)
    place = folder / album.artist.replace("/", "-") / f"{album.title} ({album.year})"
    place.mkdir(parents=True)
    write_cover(album, place / "cover.png")
    for number, title in enumerate(album.titles, 1):
      is_played = album.title == "Low Tide" and number == 1
      tags = {"TITLE": title, "ARTIST": album.artist, "ALBUMARTIST": album.artist, "ALBUM": album.title, "DATE": album.year,
              "GENRE": album.genre, "TRACKNUMBER": number, **album.tags}
      name = f"{number:02} {title.replace('/', '-')}"
      sound = (work / "music.flac").read_bytes() if is_played else rng.choice(sounds)
      (place / f"{name}.flac").write_bytes(tagged(sound, tags))
      if is_played:
        lines = [f"[{time // 60:02}:{time % 60:02}.00]{line}\n" for time, line in LYRICS]
        (place / f"{name}.lrc").write_text("".join(lines))
  demo = folder / "The Oscillators" / "Segue (2026)"
  demo.mkdir(parents=True)
  for path in [*DEMO.glob("0*"), DEMO / "cover.jpg"]:
    shutil.copy(path, demo)
  book = folder / "Ada Thorne" / "The Keeper of Skerry Light"
  book.mkdir(parents=True)
  ImageOps.colorize(Image.radial_gradient("L"), "#ffe8a3", "#0d1b2a").resize((500, 500)).save(book / "cover.png")
  write_audiobook(work, book / "The Keeper of Skerry Light.m4b")
  shutil.rmtree(work)


if __name__ == "__main__":
  write_library(pathlib.Path(sys.argv[1]))
