"""Makes the music: from Debian's wesnoth-1.16-music if it is installed, else synthesised."""

import pathlib
import subprocess

real = pathlib.Path("/usr/share/games/wesnoth/1.16/data/core/music")
pieces = ("battle.ogg", "knolls.ogg", "suspense.ogg", "vengeful.ogg")
codecs = {
    "FLAC": ("flac", ["-c:a", "flac"]),
    "MP3": ("mp3", ["-c:a", "libmp3lame", "-b:a", "320k"]),
    "Opus": ("opus", ["-c:a", "libopus", "-b:a", "160k"]),
    "AAC": ("m4a", ["-c:a", "aac", "-b:a", "256k"]),
}
length = 240
# The file for seeking: a tone of this length in seconds on the left, then one on the right.
half = 60


def ffmpeg(*arguments):
    subprocess.run(["ffmpeg", "-nostdin", "-y", "-loglevel", "error", *map(str, arguments)], check=True)


def title(file):
    """Returns the title in the tags of a file."""
    words = ["ffprobe", "-loglevel", "error", "-show_entries", "format_tags=title:stream_tags=title", "-of",
             "default=noprint_wrappers=1:nokey=1", file]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()[0]


def synthesised():
    """Returns options for synthesised music that is about as hard to compress as a recording."""
    def side(detune, seed):
        voices = [
            f"0.11*sin(2*PI*{pitch * detune:.3f}*t+2*sin(2*PI*{0.11 * n}*t))*(0.6+0.4*sin(2*PI*{0.07 * n}*t))"
            for n, pitch in enumerate((110, 164.8, 220, 277.2, 329.6, 659.3, 1318.5), 1)
        ]
        drum = f"0.5*exp(-9*mod(t,0.5))*(random({seed})-0.5)"
        return "+".join([*voices, drum, f"0.02*(random({seed + 1})-0.5)"])
    return ["-f", "lavfi", "-i", f"aevalsrc='{side(1, 0)}|{side(1.003, 2)}':s=44100:d={length}"]


def make(folder):
    """Returns the files by codec, and the file for seeking as "seek"."""
    master = folder / "master.wav"
    if all((real / piece).exists() for piece in pieces):
        inputs = [word for piece in pieces for word in ("-t", length // len(pieces), "-i", real / piece)]
        joined = f"concat=n={len(pieces)}:v=0:a=1,aresample=44100,aformat=s16:channel_layouts=stereo"
        ffmpeg(*inputs, "-filter_complex", joined, master)
        source = "Debian's wesnoth-1.16-music"
    else:
        ffmpeg(*synthesised(), "-c:a", "pcm_s16le", master)
        source = "synthesised"
    files = {}
    for name, (suffix, options) in codecs.items():
        files[name] = folder / f"music.{suffix}"
        ffmpeg("-i", master, "-metadata", "title=Bench", "-metadata", "artist=Segue", *options, files[name])
    # What the station sends is at the beginning of its folder, without a tag that states a length.
    ffmpeg("-i", master, "-t", 60, "-c:a", "libmp3lame", "-b:a", "128k", "-write_xing", 0, "-id3v2_version", 0,
           folder / "station.mp3")
    master.unlink()
    tone = "0.5*cos(2*PI*440*t)"
    files["seek"] = folder / "seek.flac"
    ffmpeg("-f", "lavfi", "-i", f"aevalsrc='lt(t,{half})*{tone}|gte(t,{half})*{tone}':s=44100:d={2 * half}",
           "-c:a", "flac", files["seek"])
    ffmpeg("-i", files["seek"], "-c:a", "libmp3lame", "-b:a", "192k", folder / "seek.mp3")
    return files, source
