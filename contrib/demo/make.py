#!/usr/bin/env python3
"""Makes the demo album beside it: five short pieces of synthesized music, in four formats. Needs numpy and ffmpeg.

The first two are one piece, cut in the middle of a chord: played without a gap, the cut cannot be heard.
"""
import os
import subprocess
import tempfile
import wave

import numpy

HERE = os.path.dirname(os.path.abspath(__file__))
RATE = 44100
ALBUM = {"album": "Segue", "album_artist": "The Oscillators", "artist": "The Oscillators", "date": "2026",
         "genre": "Ambient"}


def hertz(note):
    return 440.0 * 2 ** ((note - 69) / 12)


def tone(note, seconds, brightness=0.5, attack=0.02, release=0.4):
    """A soft string of a few partials, dying away."""
    t = numpy.arange(int(RATE * (seconds + release))) / RATE
    wave_form = sum(brightness ** (k - 1) / k * numpy.sin(2 * numpy.pi * hertz(note) * k * t * (1 + 0.0002 * k * k))
                    * numpy.exp(-t * 0.8 * k) for k in range(1, 7))
    envelope = numpy.minimum(1, t / attack) * numpy.minimum(1, numpy.maximum(0, (seconds + release - t) / release))
    return wave_form * envelope


def pad(notes, seconds):
    """A chord that swells and goes, its voices a little apart in pitch and place."""
    t = numpy.arange(int(RATE * (seconds + 1.5))) / RATE
    shape = numpy.sin(numpy.pi * numpy.minimum(1, t / (seconds + 1.5))) ** 0.7
    out = numpy.zeros((len(t), 2))
    for index, note in enumerate(notes):
        for side, detune in ((0, 0.9985), (1, 1.0015)):
            f = hertz(note) * detune
            out[:, side] += shape * (numpy.sin(2 * numpy.pi * f * t + index) + 0.25 * numpy.sin(4 * numpy.pi * f * t))
    return out / len(notes)


class Score:
    def __init__(self, seconds):
        self.sound = numpy.zeros((int(RATE * seconds), 2))

    def add(self, at, sound, gain=1.0, place=0.5):
        if sound.ndim == 1:
            sound = numpy.stack([sound * (1 - place), sound * place], axis=1) * 1.4
        start = int(at * RATE)
        end = min(len(self.sound), start + len(sound))
        self.sound[start:end] += gain * sound[:end - start]

    def finished(self, fade=0.8):
        # A short echo from side to side, and a fade at the very end.
        delay = int(0.31 * RATE)
        out = self.sound.copy()
        for step, gain in ((1, 0.35), (2, 0.15)):
            out[step * delay:] += gain * self.sound[:-step * delay][:, ::(-1) ** step]
        count = int(fade * RATE)
        out[-count:] *= numpy.linspace(1, 0, count)[:, None] ** 2
        return 0.6 * out / numpy.abs(out).max()


def dawn():
    score = Score(18)
    chords = [(50, 57, 62, 66), (47, 54, 59, 62), (43, 55, 59, 62), (45, 52, 57, 61), (50, 57, 62, 66), (47, 54, 59, 62)]
    for bar, chord in enumerate(chords):
        score.add(bar * 3, pad(chord, 3), 0.5)
        for step in range(8):
            note = chord[(step * 3 + bar) % 4] + 12
            score.add(bar * 3 + step * 0.375, tone(note, 0.3), 0.28, 0.25 + 0.07 * step)
    # Both sides alike, and not loud: FLAC is large enough as it is.
    return 0.5 * score.finished().mean(axis=1, keepdims=True).repeat(2, axis=1)


def clockwork():
    score = Score(11)
    for step in range(40):
        bar = step // 8
        note = [60, 67, 63, 70, 67, 72, 70, 63][step % 8] + [0, 0, -4, -2, 0, 5, 3][bar % 7]
        score.add(step * 0.25, tone(note, 0.1, 0.6, 0.004, 0.25), 0.4)
        if step % 4 == 0:
            score.add(step * 0.25, tone(note - 24, 0.6, 0.4), 0.5)
    return score.finished()


def lullaby():
    score = Score(15)
    melody = [(67, 1), (71, 0.5), (74, 1.5), (72, 1), (69, 0.5), (71, 1.5), (67, 1), (64, 0.5), (69, 1.5), (66, 1),
              (69, 0.5), (67, 2.5)]
    at = 0.0
    for note, beats in melody:
        score.add(at, tone(note, beats * 0.8, 0.35, 0.03, 0.8), 0.5, 0.55)
        at += beats
    for bar, chord in enumerate([(43, 55, 59), (45, 57, 60), (40, 52, 55), (42, 50, 57), (43, 55, 59)]):
        score.add(bar * 2.7, pad(chord, 2.7), 0.35)
    return score.finished(1.5)


def lights():
    score = Score(12)
    for step in range(40):
        note = 57 + [0, 3, 7, 10, 12, 15, 19][(step * 5) % 7]
        score.add(step * 0.27, tone(note + 12, 0.2, 0.3, 0.01, 0.7), 0.3, (step % 5) / 4)
    for bar, chord in enumerate([(45, 52, 60, 64), (41, 53, 57, 60), (48, 52, 55, 64)]):
        score.add(bar * 3.6, pad(chord, 3.6), 0.5)
    return score.finished()


def write_wav(path, sound):
    with wave.open(path, "wb") as out:
        out.setnchannels(2)
        out.setsampwidth(2)
        out.setframerate(RATE)
        out.writeframes(numpy.rint(sound * 32767).astype("<i2").tobytes())


def write_cover(path, work):
    """Two waves that go over into each other."""
    size = 360
    y, x = numpy.mgrid[0:size, 0:size] / size
    edge = 0.5 + 0.12 * numpy.sin(2 * numpy.pi * (x * 1.5 + 0.1)) + 0.04 * numpy.sin(2 * numpy.pi * x * 4)
    mix = (1 / (1 + numpy.exp((y - edge) * 60)))[..., None]
    top = numpy.array([250, 190, 90]) * (1 - 0.35 * y[..., None])
    bottom = numpy.array([30, 60, 110]) * (1.2 - 0.5 * y[..., None])
    pixels = numpy.clip(mix * top + (1 - mix) * bottom, 0, 255).astype("u1")
    raw = os.path.join(work, "cover.ppm")
    with open(raw, "wb") as out:
        out.write(b"P6 %d %d 255\n" % (size, size) + pixels.tobytes())
    run("-i", raw, "-q:v", "4", path)


def run(*arguments):
    subprocess.run(["ffmpeg", "-y", "-v", "error", *arguments], check=True)


def main():
    os.chdir(HERE)
    work = tempfile.mkdtemp()
    write_cover("cover.jpg", work)
    whole = dawn()
    cut = int(8.2 * RATE) + 123
    flac = ["-c:a", "flac", "-sample_fmt", "s16", "-compression_level", "12"]
    pieces = [
        ("01 Before Dawn.flac", "Before Dawn", whole[:cut], flac),
        ("02 Dawn.flac", "Dawn", whole[cut:], flac),
        ("03 Clockwork.mp3", "Clockwork", clockwork(), ["-c:a", "libmp3lame", "-q:a", "6"]),
        ("04 Колыбельная.opus", "Колыбельная", lullaby(), ["-c:a", "libopus", "-b:a", "48k"]),
        ("05 City Lights.m4a", "City Lights", lights(), ["-c:a", "aac", "-b:a", "72k"]),
    ]
    for number, (name, title, sound, codec) in enumerate(pieces, 1):
        source = os.path.join(work, "piece.wav")
        write_wav(source, sound)
        tags = dict(ALBUM, title=title, track="%d/%d" % (number, len(pieces)))
        flags = [x for key, value in tags.items() for x in ("-metadata", "%s=%s" % (key, value))]
        # The Ogg muxer takes no picture.
        picture = [] if name.endswith(".opus") else [
            "-i", "cover.jpg", "-map", "0:a", "-map", "1:v", "-c:v", "copy", "-disposition:v", "attached_pic"]
        run("-i", source, *picture, *codec, *flags, "-fflags", "+bitexact", name)


main()
