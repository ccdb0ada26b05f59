"""What is played: waves of numbered frames, between them the fixtures of the tests in every format."""

import array
import itertools
import pathlib
import random
import shutil
import struct
import sys

rate = 44100
repository = pathlib.Path(__file__).resolve().parents[3]
fixtures = repository / "Tests/MediaTests/Fixtures"
demo = repository / "contrib/demo"
formats = ("aac", "aiff", "alac.m4a", "cbr.mp3", "flac", "itunes.m4a", "itunes.mp3", "m4a", "mpc", "ogg", "opus",
           "opus.webm", "untagged.mp3", "vbr.mp3", "vorbis.mka", "wav", "wma", "wv")

# A frame is a number: the track's in the upper bits, from 1, the frame's in the lower ones.
frame_bits = 21


def wave(path, number, frames):
    """A wave file whose frame n, left and right together, is the number `number << frame_bits | n`."""
    first = number << frame_bits
    samples = array.array("I", range(first, first + frames))
    if sys.byteorder == "big":
        samples.byteswap()
    size = frames * 4
    header = struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + size, b"WAVE", b"fmt ", 16, 1, 2, rate, rate * 4, 4, 16,
                         b"data", size)
    path.write_bytes(header + samples.tobytes())


def others():
    """Files that are short and in every format we know."""
    return [file for file in sorted(fixtures.iterdir())
            if file.name.startswith(("long.", "a.", "b.")) and file.name.split(".", 1)[1] in formats]


def make(folder, count):
    """`count` files, every other one numbered; the lengths of the numbered ones, in frames, by number."""
    chance = random.Random(1)
    foreign = itertools.cycle(others())
    files, lengths = [], {}
    for index in range(count):
        if index % 2:
            source = next(foreign)
            file = folder / f"{index:03} {source.name}"
            shutil.copyfile(source, file)
        else:
            number = index // 2 + 1
            lengths[number] = int(chance.uniform(2, 12) * rate)
            file = folder / f"{index:03}.wav"
            wave(file, number, lengths[number])
        files.append(file)
    return files, lengths


def compressed():
    """Files a disk that answers late can be asked to give in time."""
    return sorted(file for file in demo.iterdir() if file.suffix in (".flac", ".mp3", ".opus", ".m4a"))
