"""Makes thousands of small tagged files to scan: MP3 (ID3v2.4), FLAC and Opus (Vorbis comments) with the same audio.
The tags are written here because running a tagger thousands of times would take too long."""

import pathlib
import random
import struct

from .music import ffmpeg

syllables = "ka lo mi ren tas vo shi dar el un bri sto na qui fe gol пе ра ми ст夜星".split()
genres = ("Rock", "Pop", "Jazz", "Classical", "Metal", "Folk", "Электроника", "Soundtrack")
tracks_of_album, albums_of_artist = 10, 4


def make(folder, count, seconds):
    """Makes `count` files in folders of artists and albums. Returns the words of their titles."""
    source = {suffix: sound(folder.parent, suffix, seconds) for suffix in ("mp3", "flac", "opus")}
    chance = random.Random(4)
    words = ["".join(chance.choices(syllables, k=chance.randint(2, 4))) for _ in range(3000)]
    text = lambda most: " ".join(chance.choice(words) for _ in range(chance.randint(1, most))).title()
    for number in range(count):
        track = number % tracks_of_album
        if number % (tracks_of_album * albums_of_artist) == 0:
            artist = text(3)
        if track == 0:
            album, year, genre = text(4), chance.randint(1960, 2025), chance.choice(genres)
            suffix = chance.choice(tuple(source))
            place = folder / f"{number // (tracks_of_album * albums_of_artist):04} {artist}" / album
            place.mkdir(parents=True, exist_ok=True)
        tags = dict(TITLE=text(5), ARTIST=artist, ALBUMARTIST=artist, ALBUM=album, GENRE=genre, DATE=str(year),
                    TRACKNUMBER=str(track + 1))
        (place / f"{track + 1:02} {number}.{suffix}").write_bytes(tagged[suffix](source[suffix], tags))
    return words


def sound(folder, suffix, seconds):
    """Returns the bytes of an untagged file with a tone."""
    file = folder / f"tone.{suffix}"
    plain = ("-map_metadata", -1, "-fflags", "+bitexact", "-id3v2_version", 0) if suffix == "mp3" else ()
    ffmpeg("-f", "lavfi", "-i", f"sine=440:duration={seconds}", *plain, file)
    content = file.read_bytes()
    file.unlink()
    return content


def mp3(content, tags):
    frames = dict(TITLE="TIT2", ARTIST="TPE1", ALBUMARTIST="TPE2", ALBUM="TALB", GENRE="TCON", DATE="TDRC",
                  TRACKNUMBER="TRCK")
    size = lambda number: bytes(number >> shift & 0x7F for shift in (21, 14, 7, 0))
    body = b""
    for name, value in tags.items():
        text = b"\3" + value.encode()
        body += frames[name].encode() + size(len(text)) + b"\0\0" + text
    return b"ID3\4\0\0" + size(len(body)) + body + content


def comments(tags):
    """Returns the body of a Vorbis comment header."""
    lines = [f"{name}={value}".encode() for name, value in tags.items()]
    return (struct.pack("<I", 5) + b"bench" + struct.pack("<I", len(lines))
            + b"".join(struct.pack("<I", len(line)) + line for line in lines))


def flac(content, tags):
    """Returns STREAMINFO, the comments and the frames."""
    place, kept = 4, b""
    while True:
        head, size = content[place], int.from_bytes(content[place + 1:place + 4], "big")
        if head & 0x7F == 0:
            kept = content[place:place + 4 + size]
        place += 4 + size
        if head & 0x80:
            break
    body = comments(tags)
    return b"fLaC" + kept + b"\x84" + len(body).to_bytes(3, "big") + body + content[place:]


def opus(content, tags):
    """Replaces the second page of the Ogg file, which contains the comments."""
    begin = content.index(b"OggS", 4)
    end = content.index(b"OggS", begin + 4)
    packet = b"OpusTags" + comments(tags)
    segments = bytes([255] * (len(packet) // 255) + [len(packet) % 255])
    page = bytearray(content[begin:begin + 26] + bytes([len(segments)]) + segments + packet)
    page[22:26] = bytes(4)
    page[22:26] = struct.pack("<I", checksum(page))
    return content[:begin] + page + content[end:]


tagged = {"mp3": mp3, "flac": flac, "opus": opus}


def remainder(byte):
    value = byte << 24
    for _ in range(8):
        value = (value << 1) ^ (0x04C11DB7 if value & 0x80000000 else 0)
    return value & 0xFFFFFFFF


remainders = [remainder(byte) for byte in range(256)]


def checksum(page):
    """Ogg's CRC (RFC 3533, 6)."""
    value = 0
    for byte in page:
        value = (value << 8 & 0xFFFFFFFF) ^ remainders[value >> 24 ^ byte]
    return value
