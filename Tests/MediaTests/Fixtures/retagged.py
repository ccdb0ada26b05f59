#!/usr/bin/env python3
"""Creates the folder Retagged: files of make.py with the same audio and large tags, which move the audio in the file.

Needs mutagen and ffmpeg.
"""
import os
import shutil
import subprocess

import mutagen
from mutagen import apev2, id3

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "Retagged")
NAMES = ["a.mp3", "a.flac", "a.ogg", "a.opus", "a.m4a", "a.alac.m4a", "a.wv", "short.aiff", "a.wav", "one-bit.dsf",
         "frames.tta", "long.mpc", "long.wma", "speech.spx", "pages.oga"]
# No buffer of a reader holds as much.
TEXT = "text " * 14_000


def main():
    shutil.rmtree(OUT, ignore_errors=True)
    os.makedirs(OUT)
    for name in NAMES:
        path = os.path.join(OUT, name)
        shutil.copy(os.path.join(HERE, name), path)
        file = mutagen.File(path)
        if file.tags is None:
            file.add_tags()
        if isinstance(file.tags, id3.ID3):
            file.tags.add(id3.TIT2(text=["Retagged"]))
            file.tags.add(id3.COMM(text=[TEXT]))
        elif name.endswith("m4a"):
            file.tags["\xa9nam"], file.tags["\xa9cmt"] = ["Retagged"], [TEXT]
        elif isinstance(file.tags, apev2.APEv2):
            file.tags["Title"], file.tags["Comment"] = "Retagged", TEXT
        else:
            file.tags["Title"], file.tags["Comment"] = ["Retagged"], [TEXT]
        file.save()
    subprocess.run(
        ["ffmpeg", "-v", "error", "-y", "-i", os.path.join(HERE, "long.vorbis.mka"), "-c", "copy", "-bitexact",
         "-metadata", "title=Retagged", "-metadata", "comment=" + TEXT, os.path.join(OUT, "long.vorbis.mka")], check=True)


if __name__ == "__main__":
    main()
