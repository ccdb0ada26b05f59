#!/usr/bin/env python3
"""Creates the fixtures in this folder. Needs numpy, mutagen, ffmpeg, lame, flac, wavpack, oggenc (vorbis-tools), mpcenc (musepack-tools),
speexenc (speex), opusenc (opus-tools), sox with libsox-fmt-base.

The tests compute the same signal (Signal.swift): two chirps, so that an offset of a single frame is detected.
"""
import os
import struct
import subprocess
import tempfile
import wave

import numpy

import tags

HERE = os.path.dirname(os.path.abspath(__file__))
RATE = 44100
# The length of the signal, and the frame at which it is split. Neither is a multiple of any codec's frame.
WHOLE = 50001
CUT = 23457


def chirp(count, rate=RATE, channels=2):
    t = numpy.arange(count) / rate
    shapes = [(220 + 110 * c, 1500 + 300 * c, 0.5 - 0.05 * c) for c in range(channels)]
    return numpy.stack([a * numpy.sin(2 * numpy.pi * (f * t + k * t * t)) for f, k, a in shapes], axis=1)


def write_wav(path, signal, rate=RATE, bits=16):
    scaled = numpy.rint(signal * (1 << (bits - 1)))
    with wave.open(path, "wb") as out:
        out.setnchannels(signal.shape[1])
        out.setsampwidth(bits // 8)
        out.setframerate(rate)
        if bits == 8:
            data = (scaled + 128).astype("u1").tobytes()
        elif bits == 24:
            data = scaled.astype("<i4").reshape(-1, 1).view("u1")[:, :3].tobytes()
        else:
            data = scaled.astype("<i%d" % (bits // 8)).tobytes()
        out.writeframes(data)


def run(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def ffmpeg(source, target, *options):
    run("ffmpeg", "-y", "-bitexact", "-i", source, "-fflags", "+bitexact", "-flags:a", "+bitexact", *options, target)


def boxes(data, start, end):
    while start + 8 <= end:
        size, kind = struct.unpack(">I4s", data[start:start + 8])
        yield kind, start, start + size
        start += size


def add_iTunSMPB(path, delay, padding, count):
    """Appends the tag to the list in moov/udta/meta/ilst; moov is the last box, so that no offset of a sample changes."""
    data = bytearray(open(path, "rb").read())
    text = b" 00000000 %08X %08X %016X" % (delay, padding, count) + b" 00000000" * 8

    def box(kind, body):
        return struct.pack(">I4s", 8 + len(body), kind) + body

    item = box(b"----", box(b"mean", bytes(4) + b"com.apple.iTunes") + box(b"name", bytes(4) + b"iTunSMPB")
               + box(b"data", struct.pack(">II", 1, 0) + text))
    chain, start, end = [], 0, len(data)
    for wanted in (b"moov", b"udta", b"meta", b"ilst"):
        kind, start, end = next(b for b in boxes(data, start, end) if b[0] == wanted)
        chain.append(start)
        start += 12 if wanted == b"meta" else 8
    for at in chain:
        data[at:at + 4] = struct.pack(">I", struct.unpack(">I", data[at:at + 4])[0] + len(item))
    data[end:end] = item
    open(path, "wb").write(data)


def pack_samples(source, target, number):
    """Copies a 3GP file of AMR with `number` frames in each sample. All samples are in one chunk, and moov is the last box."""
    data = bytearray(open(source, "rb").read())
    path = [b"moov", b"trak", b"mdia", b"minf", b"stbl"]

    def find(names):
        start, end, found = 0, len(data), 0
        for name in names:
            _, found, end = next(b for b in boxes(data, start, end) if b[0] == name)
            start = found + 8
        return found, end

    def replace(kind, *numbers):
        start, end = find(path + [kind])
        box = struct.pack(">I4sI%dI" % len(numbers), 12 + 4 * len(numbers), kind, 0, *numbers)
        data[start:end] = box
        for depth in range(len(path)):
            at = starts[depth]
            data[at:at + 4] = struct.pack(">I", struct.unpack(">I", data[at:at + 4])[0] + len(box) - (end - start))

    starts = [find(path[:depth + 1])[0] for depth in range(len(path))]
    at = find(path + [b"stsz"])[0]
    size, count = struct.unpack(">II", data[at + 12:at + 20])
    samples = count // number
    replace(b"stsz", 0, samples, *[size * number] * samples)
    replace(b"stts", 1, samples, 160 * number)
    replace(b"stsc", 1, 1, samples, 1)
    at = find(path[:3] + [b"mdhd"])[0]
    data[at + 24:at + 28] = struct.pack(">I", samples * number * 160)
    open(target, "wb").write(data)


def id3(frames):
    body = b"".join(kind + struct.pack(">IH", len(text), 0) + text for kind, text in frames)
    size = len(body)
    return b"ID3\x03\0\0" + bytes((size >> s) & 0x7F for s in (21, 14, 7, 0)) + body


def prepend(path, head):
    data = open(path, "rb").read()
    open(path, "wb").write(head + data)


def write_dsf(path, count):
    """Writes a DSF file: 1-bit at 2.8224 MHz, mono, by a first-order modulator. Least significant bit first."""
    total = count * 64
    t = numpy.arange(total) / (RATE * 64)
    wanted, bits, error = 0.3 * numpy.sin(2 * numpy.pi * 441 * t), numpy.zeros(total, "u1"), 0.0
    for index, value in enumerate(wanted):
        error += value
        bits[index] = error > 0
        error -= 1.0 if error > 0 else -1.0
    data = numpy.packbits(bits, bitorder="little").tobytes()
    data += bytes([0x69]) * (-len(data) % 4096)
    fmt = b"fmt " + struct.pack("<QIIIIIIQII", 52, 1, 0, 1, 1, 64 * RATE, 1, total, 4096, 0)
    body = b"data" + struct.pack("<Q", 12 + len(data)) + data
    open(path, "wb").write(b"DSD " + struct.pack("<QQQ", 28, 28 + len(fmt) + len(body), 0) + fmt + body)


def write_module(path):
    """Writes a ProTracker module with one pattern, in which the first channel plays a scale on a square wave."""
    sample = bytes([64] * 16 + [192] * 16)
    instrument = struct.pack(">22sHBBHH", b"square", len(sample) // 2, 0, 48, 0, len(sample) // 2)
    nothing = struct.pack(">22sHBBHH", b"", 0, 0, 0, 0, 1)
    periods = [428, 381, 339, 320, 285, 254, 226, 214]
    pattern = bytearray(64 * 4 * 4)
    for step, period in enumerate(periods):
        # Instrument 1, whose number is split around the period. The first row also sets three ticks per row.
        effect = 0xF03 if step == 0 else 0
        struct.pack_into(">HH", pattern, step * 8 * 16, period, 1 << 12 | effect)
    head = struct.pack(">20s", b"Scale") + instrument + nothing * 30 + bytes([1, 127]) + bytes(128) + b"M.K."
    open(path, "wb").write(head + pattern + sample)


def main():
    os.chdir(HERE)
    work = tempfile.mkdtemp()
    at = lambda name: os.path.join(work, name)

    # Two halves of one signal, in all formats that can be played without a gap.
    signal = chirp(WHOLE)
    parts = {"a": signal[:CUT], "b": signal[CUT:]}
    for name, part in parts.items():
        wav = name + ".wav"
        write_wav(wav, part)
        run("flac", "-sf", "--best", "-o", name + ".flac", wav)
        run("wavpack", "-qy", wav, "-o", name + ".wv")
        ffmpeg(wav, name + ".alac.m4a", "-c:a", "alac")
        run("lame", "--quiet", "-b", "128", wav, name + ".mp3")
        run("oggenc", "-Q", "-s", "7", "-o", name + ".ogg", wav)
        ffmpeg(wav, name + ".m4a", "-c:a", "aac", "-b:a", "128k", "-aac_pns", "0")
        ffmpeg(wav, name + ".itunes.m4a", "-c:a", "aac", "-b:a", "128k", "-aac_pns", "0", "-use_editlist", "0",
               "-metadata", "title=x")
        add_iTunSMPB(name + ".itunes.m4a", 1024, -(len(part) + 1024) % 1024, len(part))
        run("lame", "--quiet", "-t", "-b", "128", wav, name + ".itunes.mp3")
        tag = b"\0eng" + b"iTunSMPB\0" + b" 00000000 %08X %08X %016X" % (576, 0, len(part)) + b" 00000000" * 8
        prepend(name + ".itunes.mp3", id3([(b"COMM", tag)]))
    whole48 = chirp(WHOLE, 48000)
    for name, part in (("a", whole48[:CUT]), ("b", whole48[CUT:])):
        write_wav(at("48.wav"), part, 48000)
        ffmpeg(at("48.wav"), name + ".opus", "-c:a", "libopus", "-b:a", "96k")

    # Longer files for seeks: 4 s, in mono so that they are small.
    t = numpy.arange(4 * RATE) / RATE
    write_wav(at("long.wav"), 0.4 * numpy.sin(2 * numpy.pi * (300 * t + 40 * t * t))[:, None])
    run("flac", "-sf", "-o", "long.flac", at("long.wav"))
    run("lame", "--quiet", "-b", "32", "-m", "m", at("long.wav"), "long.cbr.mp3")
    run("lame", "--quiet", "-V", "7", "-m", "m", at("long.wav"), "long.vbr.mp3")
    run("lame", "--quiet", "-t", "-V", "7", "-m", "m", at("long.wav"), "long.untagged.mp3")
    run("oggenc", "-Q", "-q", "0", "-s", "7", "-o", "long.ogg", at("long.wav"))
    ffmpeg(at("long.wav"), "long.m4a", "-c:a", "aac", "-b:a", "32k", "-aac_pns", "0")
    ffmpeg(at("long.wav"), "long.aac", "-c:a", "aac", "-b:a", "32k", "-aac_pns", "0")
    ffmpeg(at("long.wav"), "long.opus", "-c:a", "libopus", "-b:a", "24k")
    ffmpeg(at("long.wav"), "long.vorbis.mka", "-c:a", "libvorbis", "-b:a", "48k")
    ffmpeg(at("long.wav"), "long.opus.webm", "-c:a", "libopus", "-b:a", "24k")
    ffmpeg(at("long.wav"), "long.wma", "-c:a", "wmav2", "-b:a", "32k")
    run("mpcenc", "--silent", "--overwrite", "--radio", at("long.wav"), "long.mpc")
    run("wavpack", "-qyh", at("long.wav"), "-o", "long.wv")
    run("wavpack", "-qyb2.25", at("long.wav"), "-o", "lossy.wv")
    ffmpeg(at("long.wav"), "long.dts.mka", "-c:a", "dca", "-strict", "-2", "-b:a", "192k")
    ffmpeg(at("long.wav"), "long.alac.m4a", "-c:a", "alac")
    ffmpeg(at("long.wav"), "fragments.m4a", "-c:a", "alac", "-movflags", "empty_moov+default_base_moof", "-frag_duration",
           "1000000")
    # The first packets are described in the header, the others in fragments.
    ffmpeg("a.wav", "hybrid.alac.m4a", "-c:a", "alac", "-movflags", "frag_keyframe", "-frag_duration", "100000")
    ffmpeg(at("long.wav"), "hybrid.m4a", "-c:a", "aac", "-b:a", "32k", "-aac_pns", "0", "-use_editlist", "1", "-movflags",
           "frag_keyframe", "-frag_duration", "500000")

    # Codecs whose packets have several frames.
    ffmpeg(at("long.wav"), "long.adpcm.wav", "-c:a", "adpcm_yamaha")
    run("sox", at("long.wav"), "-r", "8000", at("speech.amr-nb"), "trim", "0", "2")
    os.rename(at("speech.amr-nb"), at("speech.amr"))
    ffmpeg(at("speech.amr"), "speech.3gp", "-c:a", "copy")
    pack_samples("speech.3gp", "packed.3gp", 5)

    # Sample depths, channels and rates.
    short = chirp(RATE // 20)
    write_wav("eight.wav", short[:, :1], bits=8)
    write_wav(at("24.wav"), short, bits=24)
    run("flac", "-sf", "-o", "deep.flac", at("24.wav"))
    write_wav("deep.wav", short, bits=24)
    write_wav("long32.wav", short, bits=32)
    ffmpeg("deep.wav", "float.wav", "-c:a", "pcm_f32le")
    ffmpeg("deep.wav", "double.wav", "-c:a", "pcm_f64le")
    odd = numpy.array([0.25, numpy.nan, numpy.inf, -numpy.inf, 0.5, 0, 0, 0], "<f4").tobytes()
    data = bytearray(open("float.wav", "rb").read())
    start = data.index(b"data") + 8
    data[start:start + len(odd)] = odd
    open("nan.wav", "wb").write(data)
    write_wav(at("6.wav"), chirp(4800, 48000, 6), 48000)
    ffmpeg(at("6.wav"), "surround.flac")
    write_wav(at("192.wav"), chirp(19200, 192000), 192000, 24)
    run("flac", "-sf", "-o", "fast.flac", at("192.wav"))
    write_wav("slow.wav", chirp(800, 8000, 1), 8000)
    write_dsf("one-bit.dsf", 4096)
    ffmpeg("eight.wav", "short.aiff", "-c:a", "pcm_s16be")
    write_module("scale.mod")

    # A file whose rate and channels change: two Ogg streams, one after the other.
    write_wav(at("22.wav"), chirp(44100, 22050), 22050)
    run("oggenc", "-Q", "-q", "2", "-s", "1", "-o", at("1.ogg"), at("long.wav"))
    run("oggenc", "-Q", "-q", "8", "-s", "2", "-o", at("2.ogg"), at("22.wav"))
    with open("chained.ogg", "wb") as out:
        for name in ("1.ogg", "2.ogg"):
            out.write(open(at(name), "rb").read())

    # Durations: FLAC with a page for each block, Speex, and containers that state the size of their contents.
    write_wav(at("pages.wav"), chirp(20001, 44100, 2))
    run("flac", "-sf", "--ogg", "--no-padding", "--serial-number=1", "-0", "-b", "1152", "-o", "pages.oga", at("pages.wav"))
    write_wav(at("pages.wav"), chirp(60001, 44100, 2))
    run("oggenc", "-Q", "-q", "9", "-s", "3", "-o", "pages.ogg", at("pages.wav"))
    # Two links of one Ogg file.
    write_wav(at("links.wav"), chirp(12001, 48000, 1), 48000)
    with open("links.opus", "wb") as out:
        for serial in ("1", "2"):
            run("opusenc", "--quiet", "--bitrate", "64", "--serial", serial, at("links.wav"), at("link.opus"))
            out.write(open(at("link.opus"), "rb").read())
    write_wav(at("speech.wav"), chirp(11900, 16000, 1), 16000)
    run("speexenc", "--quality", "10", at("speech.wav"), "speech.spx")
    write_wav(at("frames.wav"), chirp(20001, 8000, 1), 8000)
    ffmpeg(at("frames.wav"), "frames.tta", "-c:a", "tta")
    ffmpeg("eight.wav", "short.caf", "-c:a", "pcm_s16be")
    ffmpeg("eight.wav", "short.au", "-c:a", "pcm_s16be")
    ffmpeg("eight.wav", "flac.caf", "-c:a", "flac", "-strict", "-2")
    for name, codec in [("late.mka", "libvorbis"), ("late.wma", "wmav2")]:
        ffmpeg("eight.wav", name, "-c:a", codec, "-b:a", "32k", "-ar", "44100", "-output_ts_offset", "7")

    # Three parts with different rates and channels, like a recorded radio programme.
    parts = [(44100, 1), (48000, 2), (24000, 2)]
    for number, (rate, channels) in enumerate(parts):
        write_wav(at("part.wav"), chirp(rate // 4, rate, channels), rate)
        ffmpeg(at("part.wav"), at("%d.aac" % number), "-c:a", "aac", "-b:a", "32k")
        ffmpeg(at("%d.aac" % number), at("%d.ts" % number), "-c", "copy", "-output_ts_offset", str(number))
    for kind in ("aac", "ts"):
        with open("changing." + kind, "wb") as out:
            for number in range(len(parts)):
                out.write(open(at("%d.%s" % (number, kind)), "rb").read())

    # Containers with more than audio.
    run("ffmpeg", "-y", "-f", "lavfi", "-i", "color=c=teal:s=32x32:d=0.04", "-frames:v", "1", at("cover.png"))
    ffmpeg("eight.wav", at("plain.mp3"), "-b:a", "64k", "-id3v2_version", "3")
    cover = ["-i", at("cover.png"), "-map", "0:a", "-map", "1:v", "-c:v", "copy", "-disposition:v", "attached_pic"]
    ffmpeg("eight.wav", "cover.mp3", *cover, "-b:a", "64k")
    ffmpeg("eight.wav", "cover.flac", *cover, "-c:a", "flac")
    ffmpeg("eight.wav", "cover.m4a", *cover, "-c:a", "aac")
    run("ffmpeg", "-y", "-f", "lavfi", "-i", "color=c=teal:s=32x32:d=0.5", "-i", "a.wav", "-shortest",
        "-c:v", "mpeg4", "-c:a", "aac", "-b:a", "64k", "video.mp4")
    run("ffmpeg", "-y", "-f", "lavfi", "-i", "color=c=teal:s=32x32:d=0.5", "-c:v", "mpeg4", "silent.mp4")

    # Tags.
    texts = {"title": "Полёт", "artist": "Один;Два", "album": "Альбом", "album_artist": "Все", "date": "1999-03-01",
            "track": "3/12", "disc": "1/2", "genre": "Jazz;Swing", "composer": "Кто-то"}
    flags = [x for k, v in texts.items() for x in ("-metadata", "%s=%s" % (k, v))]
    ffmpeg("eight.wav", "tags.flac", *flags)
    ffmpeg("eight.wav", "tags.m4a", "-c:a", "aac", *flags)
    ffmpeg("eight.wav", "tags.mp3", "-b:a", "64k", *flags)
    write_wav(at("48m.wav"), chirp(4800, 48000, 1), 48000)
    ffmpeg(at("48m.wav"), "tags.opus", "-c:a", "libopus", *flags)
    ffmpeg("eight.wav", "broken-tags.flac", "-metadata", "title=ABCDEFGH", "-metadata", "artist=" + "x" * 20000)
    data = open("broken-tags.flac", "rb").read().replace(b"ABCDEFGH", b"AB\xff\xfeEF\x01H")
    open("broken-tags.flac", "wb").write(data)

    # Headers with wrong values, and files that are not audio.
    data = bytearray(open("slow.wav", "rb").read())
    data[4:8] = data[40:44] = b"\xff\xff\xff\x7f"
    open("lying.wav", "wb").write(data)
    flac = open("a.flac", "rb").read()
    open("truncated.flac", "wb").write(flac[:len(flac) // 2])
    open("headless.m4a", "wb").write(open("a.m4a", "rb").read()[:8000])
    # The STREAMINFO states a second of audio, but no frame follows.
    open("hollow.flac", "wb").write(flac[:42])
    open("empty.flac", "wb").close()
    open("text.mp3", "w").write("This is no music, whatever its name says.\n" * 40)
    open("list.wav", "w").write("#EXTM3U\n#EXTINF:1,x\nfile:///etc/hostname\n")
    open("concat.flac", "w").write("ffconcat version 1.0\nfile a.flac\n")

    tags.main()


main()
