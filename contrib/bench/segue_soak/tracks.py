"""The music: WAV files of numbered frames, alternating with the fixtures of the tests in every format."""

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

# Each frame is a number: the upper bits are the track, from 1, and the lower bits the frame.
frame_bits = 21


def wave(path, number, frames):
    """Writes a WAV file whose frame n, as a 32-bit value, is `number << frame_bits | n`."""
    first = number << frame_bits
    samples = array.array("I", range(first, first + frames))
    if sys.byteorder == "big":
        samples.byteswap()
    size = frames * 4
    header = struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + size, b"WAVE", b"fmt ", 16, 1, 2, rate, rate * 4, 4, 16,
                         b"data", size)
    path.write_bytes(header + samples.tobytes())


def others():
    """Returns short files of every supported format."""
    return [file for file in sorted(fixtures.iterdir())
            if file.name.startswith(("long.", "a.", "b.")) and file.name.split(".", 1)[1] in formats]


def make(folder, count):
    """Makes `count` files, every other one numbered. Returns the files, and the lengths of the numbered ones in frames."""
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
    """Returns files that are small enough to be played from a slow disk."""
    return sorted(file for file in demo.iterdir() if file.suffix in (".flac", ".mp3", ".opus", ".m4a"))
